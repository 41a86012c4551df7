import assert from 'node:assert/strict';
import { FileBody } from '../../../../src/service/content/fileBody';
import { type Contract, DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { KEY_MASK } from '../../../../src/service/masking/mask';
import { previewFileTask, previewJson } from '../../../../src/service/request/preview';
import { fileFacts, queryTaskRequest, setWebhookRequest, type Target } from '../../../../src/service/request/requests';
import { assertKeyIsMasked } from '../assertKeyIsMasked';
import { RawServer } from '../rawServer';
import { acceptsAll } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { CANARY, target, unwatched, wire } from '../wire';

const masked = (dataset: Target): Target => ({ ...dataset, accessKey: KEY_MASK });

/** Removes what may differ between requests: the boundary and the Connection header. */
function comparable(request: string): string {
  const boundary = /boundary=(\S+)/.exec(request)?.[1];
  const same = boundary === undefined ? request : request.replaceAll(boundary, 'boundary');
  return same
    .replaceAll('\r\n', '\n')
    .replace(/^connection: .*\n/m, '')
    .replaceAll(CANARY, KEY_MASK);
}

async function previewOf(dataset: Target, filePath: string, shownBytes = 2048): Promise<string> {
  const file = await FileBody.open(filePath);
  try {
    const facts = await fileFacts(dataset.contract, file, 'notes/it');
    const preview = await previewFileTask(masked(dataset), file, facts, shownBytes, (bytes) => `[${bytes} more]`);
    assertKeyIsMasked(preview);
    return preview;
  } finally {
    await file.close();
  }
}

/** An upload as a server received it, and its preview. */
async function sentAndShown(contract: Partial<Contract>, name: string, content: string, shownBytes?: number) {
  await using files = await TemporaryFiles.make();
  await using server = await RawServer.start(acceptsAll);
  const dataset = target(server.url, contract);
  const { path, open } = await files.write(name, content);
  const preview = await previewOf(dataset, path, shownBytes);
  assert.equal(server.peers.length, 0, 'nothing is sent');
  const service = wire();
  await service.queryTask(dataset, typedTaskId('T1', 'string'), unwatched());
  await service.fileTask(dataset, { open, relativePath: 'notes/it' }, unwatched());
  return { sent: comparable(server.peers[1]?.received.toString() ?? ''), shown: comparable(preview) };
}

const customContract: Partial<Contract> = {
  headers: { 'X-Tenant': 'blau', 'X-Empty': '' },
  paths: { ...DEFAULT_CONTRACT.paths, fileTask: '/f?a=1', queryTask: '/q', setWebhook: '/w' },
  fileTask: {
    filePart: 'dø"c',
    mediaType: 'text/x-notes',
    fileNameEncoding: 'both',
    fields: { name: '${fileName}', where: '${relativePath}', size: '${size}', hash: '${sha256}', 'l\nn': 'a\r\nb' },
    taskId: undefined,
  },
  queryTask: { ...DEFAULT_CONTRACT.queryTask, body: { ids: ['${taskId}'] } },
};

describe('The preview of an upload', () => {
  for (const [what, contract] of Object.entries({ 'the default contract': {}, 'a custom contract': customContract })) {
    it(`with ${what} shows exactly what will be sent, except that the key is masked`, async () => {
      const { sent, shown } = await sentAndShown(contract, 'n"ö\\.jsonl', '\uFEFF{"a":1}\r\n{"b":"é"}\n');
      assert.equal(shown, sent);
      assert.ok(shown.includes(KEY_MASK));
    });
  }

  it('shows the beginning of a long file and how much is omitted', async () => {
    const content = Array.from({ length: 10_000 }, (_, index) => `${index}\r\n`).join('');
    const { sent, shown } = await sentAndShown({}, 'a.txt', content, 15);
    const left = content.length - 15;
    assert.equal(shown, sent.replace(content.slice(15).replaceAll('\r\n', '\n'), `\n[${left} more]`));
    assert.ok(shown.includes('\n\n0\n1\n2\n3\n4\n\n['));
  });

  it('never splits a character, and works even if it is cut off in the middle of an invalid UTF-8 sequence', async () => {
    await using files = await TemporaryFiles.make();
    const dataset = target(new URL('https://service.example'));
    const { path } = await files.write('a.txt', 'é读😀.');
    for (const [bytes, shown, left] of [
      [1, '', 10],
      [2, 'é', 8],
      [4, 'é', 8],
      [5, 'é读', 5],
      [8, 'é读', 5],
      [9, 'é读😀', 1],
    ] as const)
      assert.ok((await previewOf(dataset, path, bytes)).includes(`\n\n${shown}\n[${left} more]`), `${bytes} bytes`);
    const invalid = await files.write('b.txt', Buffer.from('80808080ff80c3', 'hex'));
    for (const bytes of [1, 2, 4, 5, 6, 7])
      assert.match(await previewOf(dataset, invalid.path, bytes), /POST .*HTTP\/1\.1\n/);
  });
});

describe('The preview of a query or a webhook', () => {
  it('shows exactly what will be sent, except that the key is masked', async () => {
    for (const contract of [{}, customContract]) {
      const taskId = typedTaskId('9007199254740993123', 'number');
      const webhook = new URL('https://hooks.example/?a=1');
      await using server = await RawServer.start(acceptsAll);
      const dataset = target(server.url, contract);
      const shown = [
        previewJson(queryTaskRequest(masked(dataset), taskId)),
        previewJson(setWebhookRequest(masked(dataset), webhook)),
      ];
      assertKeyIsMasked(shown);
      await wire().queryTask(dataset, taskId, unwatched());
      await wire().setWebhook(dataset, webhook, unwatched());
      assert.deepEqual(
        shown,
        server.peers.map(({ received }) => comparable(received.toString())),
      );
    }
  });
});
