import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { FileBody } from '../../../../src/service/content/fileBody';
import { textBody } from '../../../../src/service/content/sourceBody';
import { type Contract, DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { KEY_MASK } from '../../../../src/service/masking/mask';
import { curlFileTask, curlJson } from '../../../../src/service/request/curl';
import {
  fileFacts,
  fileTaskRequest,
  queryTaskRequest,
  setWebhookRequest,
  type Target,
} from '../../../../src/service/request/requests';
import { assertKeyIsMasked } from '../assertKeyIsMasked';
import { RawServer } from '../rawServer';
import { readForm } from '../readForm';
import { ACCEPTED, acceptsAll, answering, response } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { CANARY, target, unwatched, wire } from '../wire';

const run = promisify(execFile);
const masked = (dataset: Target): Target => ({ ...dataset, accessKey: KEY_MASK });

/** Runs a command as if it were pasted into a terminal, and returns its output. */
async function paste(command: string, shell: 'bash' | 'sh' = 'bash'): Promise<string> {
  assertKeyIsMasked(command);
  const env = { PATH: process.env['PATH'] ?? '', ACCESS_KEY: CANARY, no_proxy: '*' };
  // Bash reads the user's .bashrc if its standard input is a socket.
  const args = shell === 'bash' ? ['--norc', '-c', command] : ['-c', command];
  const { stdout } = await run(shell, args, { env });
  return stdout;
}

/** The request line and headers, except headers that describe the client or the connection. */
function comparableHead(head: string): string[] {
  const clientHeader = /^(?:connection|user-agent|accept|content-length|content-type: multipart)/i;
  return head
    .split('\r\n')
    .filter((line) => !clientHeader.test(line))
    .map((line) => line.replace(/^host/i, 'host').trim());
}

interface Case {
  readonly contract?: Partial<Contract>;
  readonly name?: string;
  readonly content?: string;
}

/** Uploads a file with our code and then with the curl command for that upload, and compares the two requests. */
async function assertSameRequest({ contract = {}, name = 'a.txt', content = 'Grüße\r\n' }: Case): Promise<void> {
  await using files = await TemporaryFiles.make();
  await using server = await RawServer.start(answering(response('200 OK', ACCEPTED, 'Connection: close')));
  const dataset = target(server.url, contract);
  const source = await files.write(name, content);
  const file = await FileBody.open(source.path);
  const facts = await fileFacts(dataset.contract, file, source.relativePath);
  const command = curlFileTask(fileTaskRequest(masked(dataset), file, facts), source.path);
  await file.close();
  await wire().fileTask(dataset, source, unwatched());
  assert.equal(await paste(command), ACCEPTED);
  const [curl, own] = server.peers.map(({ received }) => {
    const at = received.indexOf('\r\n\r\n') + 4;
    return { head: received.toString('latin1', 0, at), body: received.subarray(at) };
  });
  assert.ok(curl && own);
  assert.deepEqual(comparableHead(curl.head), comparableHead(own.head));
  assert.deepEqual(await readForm(curl), await readForm(own));
  // The form parser unescapes names, so compare the raw part headers too.
  assert.deepEqual(partHeads(curl.body), partHeads(own.body));
}

function partHeads(body: Buffer): string[] {
  return (body.toString().match(/^Content-(?:Disposition|Type): .*$/gm) ?? []).map((line) => line.trim());
}

function fields(values: Record<string, string>, filePart = 'file'): Partial<Contract> {
  return { fileTask: { ...DEFAULT_CONTRACT.fileTask, filePart, fields: values } };
}

const hostile = [
  `it's "quoted"`,
  '$HOME ${HOME} $(touch pwned) `touch pwned`',
  'a;b&c|d>e<f',
  '@a.txt',
  '<a.txt',
  '=@a.txt;type=text/html;filename=x',
  'a,b',
  '"a";type=text/html',
  'back\\slash\\',
  '\\"',
  ' spaces ',
  '-o x',
  '# no comment',
  '!history',
  '*?[a-z]{a,b}',
  '%00 %s %22',
  'Grüße 读书 😀',
];

/** In pasted text, control characters act as keys: `\x03` cancels the line, and a line break runs it. */
const withControls = [
  'two\nlines',
  'tab\there',
  'a\rb',
  "it's \x03\ntouch pwned\n'; touch pwned; '\\",
  '\x011\x1b[31m\x7f7',
  'next\u0085line 读书 😀 \u009b31m',
];

describe('The curl command for an upload', () => {
  it('has one option per line, and contains $ACCESS_KEY instead of the key', async () => {
    const file = { name: 'a.txt', sizeBytes: 1, chunks: async function* () {} };
    const dataset = target(new URL('https://service.example'), fields({ datasetCode: 'A1' }));
    const facts = await fileFacts(dataset.contract, textBody('a.txt', Buffer.from('a')), 'a.txt');
    assert.equal(
      curlFileTask(fileTaskRequest(masked(dataset), file, facts), '/notes/a.txt'),
      [
        `curl --request POST 'https://service.example/openapi/open/v1/file-task' \\`,
        `  --header "Access-Key: $ACCESS_KEY" \\`,
        `  --header 'cache-control: no-cache' \\`,
        `  --header 'scheme: https' \\`,
        `  --header 'Expect:' \\`,
        `  --form-string 'datasetCode=A1' \\`,
        `  --form 'file=@"/notes/a.txt";type=text/plain;filename="a.txt"'`,
      ].join('\n'),
    );
  });

  it('sends the same fields, parts and headers as our code, no matter what they contain', () => {
    const values = Object.fromEntries([...hostile, ...withControls].map((text, index) => [`f${index}`, text]));
    const named = Object.fromEntries(
      hostile.filter((name) => !name.includes('=')).map((name) => [name, '${fileName}']),
    );
    const headers = Object.fromEntries(
      hostile.map((text, index) => [`X-${index}`, text.replaceAll(/[^ -~]/g, '')] as const),
    );
    return assertSameRequest({
      contract: { ...fields({ ...values, ...named }), headers: { ...headers, 'X-Empty': '' } },
    });
  });

  for (const text of [
    `it's "quoted" \\"`,
    '=@a.txt;type=text:html;filename=x',
    "it's \x03\ntouch pwned\n'; touch pwned; '\\",
  ]) {
    it(`sends the same request as our code for a file and a part named ${JSON.stringify(text)}`, () =>
      assertSameRequest({ name: text, contract: fields({}, text.replaceAll(/[^ -~]|=|\\$/g, '')) }));
  }

  for (const text of withControls) {
    it(`contains no control characters for a file named ${JSON.stringify(text)}`, async () => {
      assert.doesNotMatch((await commandAbout(text)).replaceAll(' \\\n  ', ' '), /\p{Cc}/u);
    });
  }

  it("is still a single command in a shell that doesn't support $'…'", async () => {
    const commands = await Promise.all(withControls.map(commandAbout));
    const words = commands.map((command) => command.replace(/^curl /, "printf '%s\\0' ")).join('\n');
    const [inBash, inOther] = [await paste(words), await paste(words, 'sh')].map((printed) => printed.split('\0'));
    assert.equal(inOther?.length, inBash?.length);
  });

  it('sends the same request as our code for a large file, a percent-encoded file name and braces in the URL', () =>
    assertSameRequest({
      name: '读书会 (1)%.txt',
      // By default, curl sends an Expect header for a file of this size.
      content: 'line\r\n'.repeat(300_000),
      contract: {
        paths: { ...DEFAULT_CONTRACT.paths, fileTask: "/[1-3]/{a,b}?c={d,e}&f='$g" },
        fileTask: {
          ...DEFAULT_CONTRACT.fileTask,
          mediaType: 'text/plain; charset=utf-8',
          fileNameEncoding: 'percent',
        },
      },
    }));
});

/** The curl command for an upload with this text in the file name, the path and a form field. */
async function commandAbout(text: string): Promise<string> {
  const file = { name: text, sizeBytes: 1, chunks: async function* () {} };
  const dataset = target(new URL('https://service.example'), fields({ a: text }));
  const facts = await fileFacts(dataset.contract, textBody(text, Buffer.from('a')), text);
  return curlFileTask(fileTaskRequest(masked(dataset), file, facts), `/notes/${text}`);
}

describe('The curl command for a query or a webhook', () => {
  const id = typedTaskId([...hostile, ...withControls].join('\n'), 'string');
  for (const taskId of [id, typedTaskId('9007199254740993123', 'number')]) {
    it(`sends the same query-task request as our code for a task ID such as ${JSON.stringify(taskId.slice(0, 20))}`, async () => {
      await using server = await RawServer.start(acceptsAll);
      const dataset = target(server.url);
      await wire().queryTask(dataset, taskId, unwatched());
      await paste(`${curlJson(queryTaskRequest(masked(dataset), taskId))} --max-time 20`);
      assertSameJson(server);
    });
  }

  it('sends the same set-webhook request as our code', async () => {
    await using server = await RawServer.start(acceptsAll);
    const dataset = target(server.url, { headers: { 'X-Tenant': "it's" } });
    const url = new URL("https://hooks.example/?a='b'&c=$d");
    await wire().setWebhook(dataset, url, unwatched());
    await paste(curlJson(setWebhookRequest(masked(dataset), url)));
    assertSameJson(server);
  });
});

function assertSameJson(server: RawServer): void {
  const [own, curl] = server.peers.map(({ received }) => received.toString().split('\r\n\r\n'));
  assert.deepEqual(comparableHead(curl?.[0] ?? ''), comparableHead(own?.[0] ?? ''));
  assert.equal(curl?.[1], own?.[1]);
}
