import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type Contract, DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { type Json, parseJson } from '../../../../src/service/json/json';
import { taskIdOf, typedTaskId } from '../../../../src/service/json/taskId';
import { queryTaskRequest, setWebhookRequest } from '../../../../src/service/request/requests';
import { RawServer } from '../rawServer';
import { acceptsAll } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { CANARY, target, unwatched, wire } from '../wire';

const CONTENT = 'Grüße\r\nund mehr\n';

/** Uploads a file and returns the request as the server received it. */
async function imported(contract: Partial<Contract>, name = 'notes.v2.csv') {
  await using files = await TemporaryFiles.make();
  await using server = await RawServer.start(acceptsAll);
  const { kind } = await wire().fileTask(target(server.url, contract), await files.write(name, CONTENT), unwatched());
  assert.equal(kind, 'accepted');
  const boundary = /boundary=(\S+)/.exec(server.request.head)?.[1] ?? '';
  return { port: server.port, boundary, head: server.request.head, body: server.request.body.toString() };
}

function fileTask(overrides: Partial<Contract['fileTask']>): Partial<Contract> {
  return { fileTask: { ...DEFAULT_CONTRACT.fileTask, ...overrides } };
}

function queryBody(body: Json, id: string): string {
  const contract = { ...DEFAULT_CONTRACT, queryTask: { ...DEFAULT_CONTRACT.queryTask, body } };
  const taskId = taskIdOf(parseJson(id)) ?? assert.fail();
  return queryTaskRequest(target(new URL('https://service.example'), contract), taskId).body;
}

describe('An upload request', () => {
  it('has the parts, fields and headers from the contract, byte for byte', async () => {
    const sha256 = createHash('sha256').update(CONTENT).digest('hex');
    const fields = {
      name: '${fileName}',
      path: 'in ${relativePath}',
      size: '${size}',
      hash: '${sha256}',
      task: '${taskName}!',
      kind: '${extension} ${mediaType}',
      meta: '{ "name": "${fileName}", "size": ${size}, "é": "${taskName}" }',
      fixed: 'A1 "é", ${unknown}, ${constructor}',
      'with "quotes"\r\n': '',
      all: '${fileName}|${relativePath}|${size}|${sha256}|${taskName}',
    };
    const { port, boundary, head, body } = await imported({
      ...fileTask({ filePart: 'document', fields }),
      headers: { 'X-Tenant': 'blau', 'x-empty': '' },
      paths: { ...DEFAULT_CONTRACT.paths, fileTask: '/gateway/import?kind=text' },
    });
    const field = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const expected = [
      field('name', 'notes.v2.csv'),
      field('path', 'in notes/notes.v2.csv'),
      field('size', '18'),
      field('hash', sha256),
      field('task', 'notes.v2!'),
      field('kind', 'csv text/csv'),
      field('meta', '{ "name": "notes.v2.csv", "size": 18, "é": "notes.v2" }'),
      field('fixed', 'A1 "é", ${unknown}, ${constructor}'),
      field('with %22quotes%22%0D%0A', ''),
      field('all', `notes.v2.csv|notes/notes.v2.csv|18|${sha256}|notes.v2`),
      `--${boundary}\r\nContent-Disposition: form-data; name="document"; filename="notes.v2.csv"\r\n`,
      `Content-Type: text/csv\r\n\r\n${CONTENT}\r\n--${boundary}--\r\n`,
    ].join('');
    assert.equal(body, expected);
    assert.equal(
      head,
      [
        'POST /gateway/import?kind=text HTTP/1.1',
        `host: 127.0.0.1:${port}`,
        'connection: close',
        `Access-Key: ${CANARY}`,
        `Content-Type: multipart/form-data; boundary=${boundary}`,
        'cache-control: no-cache',
        'scheme: https',
        'X-Tenant: blau',
        'x-empty: ',
        'accept-encoding: identity',
        `content-length: ${Buffer.byteLength(expected)}`,
        '',
        '',
      ].join('\r\n'),
    );
  });

  const encodings: readonly (readonly [Contract['fileTask']['fileNameEncoding'], name: string, parameters: string])[] =
    [
      ['utf8', '读书会记录.txt', 'filename="读书会记录.txt"'],
      ['percent', '读书会记录.txt', 'filename="%E8%AF%BB%E4%B9%A6%E4%BC%9A%E8%AE%B0%E5%BD%95.txt"'],
      [
        'both',
        '读书会记录.txt',
        `filename="读书会记录.txt"; filename*=UTF-8''%E8%AF%BB%E4%B9%A6%E4%BC%9A%E8%AE%B0%E5%BD%95.txt`,
      ],
      ['percent', 'Grüße 100%.txt', 'filename="Gr%C3%BC%C3%9Fe%20100%25.txt"'],
      ['both', "it's (1)!.txt", `filename="it's (1)!.txt"; filename*=UTF-8''it%27s%20%281%29%21.txt`],
      ['both', 'a\\', `filename="a%5C"; filename*=UTF-8''a%5C`],
      ['percent', 'a"\r\nb.txt', 'filename="a%22%0D%0Ab.txt"'],
    ];
  for (const [encoding, name, parameters] of encodings) {
    it(`encodes the file name ${JSON.stringify(name)} if fileNameEncoding is ${encoding}`, async function () {
      if (process.platform === 'win32' && /["\\\r\n]/.test(name)) this.skip();
      const { body } = await imported(fileTask({ fileNameEncoding: encoding }), name);
      assert.ok(
        body.includes(`\r\nContent-Disposition: form-data; name="file"; ${parameters}\r\nContent-Type: `),
        body,
      );
    });
  }

  it("uses the contract's media type for both the file part and the media type placeholder", async () => {
    const mediaType = 'text/plain; charset=utf-8';
    const { body } = await imported(fileTask({ mediaType, fields: { kind: '${mediaType}' } }), 'a.md');
    assert.ok(body.includes(`name="kind"\r\n\r\n${mediaType}\r\n--`), body);
    assert.ok(body.includes(`filename="a.md"\r\nContent-Type: ${mediaType}\r\n\r\n${CONTENT}`), body);
  });

  it('fills in the extension, task name and media type, whatever the file is called', async () => {
    for (const [name, extension, taskName, mediaType] of [
      ['Notes.MD', 'MD', 'Notes', 'text/markdown'],
      ['a.tar.gz', 'gz', 'a.tar', 'text/plain'],
      ['.env', '', '.env', 'text/plain'],
      ['LICENSE', '', 'LICENSE', 'text/plain'],
      ['a.', '', 'a', 'text/plain'],
    ] as const) {
      const { body } = await imported(fileTask({ fields: { kind: '<${extension}|${taskName}|${mediaType}>' } }), name);
      assert.ok(body.includes(`name="kind"\r\n\r\n<${extension}|${taskName}|${mediaType}>\r\n`), name);
      assert.ok(body.includes(`\r\nContent-Type: ${mediaType}\r\n\r\n${CONTENT}`), name);
    }
  });
});

describe('A query body', () => {
  const bodies: readonly (readonly [template: string, id: string, body: string])[] = [
    ['{"taskId":"${taskId}"}', '9007199254740993123', '{"taskId":9007199254740993123}'],
    ['{"taskId":"${taskId}"}', '"9007199254740993123"', '{"taskId":"9007199254740993123"}'],
    ['"${taskId}"', '1.0', '1.0'],
    [
      '{"query":{"ids":["${taskId}",["${taskId}"]],"n":1.50,"on":true,"no":null},"note":"task ${taskId}"}',
      '9007199254740993123',
      '{"query":{"ids":[9007199254740993123,[9007199254740993123]],"n":1.50,"on":true,"no":null},"note":"task 9007199254740993123"}',
    ],
    ['{"note":"<${taskId}>"}', '"a\\"b\\\\"', '{"note":"<a\\"b\\\\>"}'],
    ['{"${taskId}":1}', '"T1"', '{"${taskId}":1}'],
    ['{"__proto__":"${taskId}"}', '"T1"', '{"__proto__":"T1"}'],
    ['{"id":"${taskId:number}"}', '"9007199254740993123"', '{"id":9007199254740993123}'],
    ['{"id":"${taskId:number}"}', '"007"', '{"id":"007"}'],
    ['{"id":"${taskId:number}"}', '"job-7"', '{"id":"job-7"}'],
    ['{"id":"${taskId:text}"}', '9007199254740993123', '{"id":"9007199254740993123"}'],
    ['{"q":"id=${taskId:number};${taskId:text}"}', '7', '{"q":"id=7;7"}'],
    ['{"q":"{\\"id\\": \\"${taskId}\\"}"}', '"a\\"b\\\\"', '{"q":"{\\"id\\": \\"a\\\\\\"b\\\\\\\\\\"}"}'],
    ['{"q":"{\\"id\\":${taskId:number}}"}', '"7"', '{"q":"{\\"id\\":7}"}'],
  ];
  for (const [template, id, body] of bodies) {
    it(`built from the template ${template} and the task ID ${id} is ${body}`, () => {
      assert.equal(queryBody(parseJson(template), id), body);
    });
  }
});

describe('A query or webhook request', () => {
  it("has the path from the contract, and the contract's headers after the standard headers", () => {
    const contract = {
      headers: { 'X-Tenant': 'blau' },
      paths: { ...DEFAULT_CONTRACT.paths, queryTask: '/q?v=2', setWebhook: '/w' },
    };
    const dataset = target(new URL('https://service.example/base/'), contract);
    const query = queryTaskRequest(dataset, typedTaskId('T1', 'string'));
    const webhook = setWebhookRequest(dataset, new URL('https://hooks.example/'));
    assert.deepEqual(
      [query.url.href, webhook.url.href],
      ['https://service.example/base/q?v=2', 'https://service.example/base/w'],
    );
    const shown = [
      ['Access-Key', CANARY],
      ['Content-Type', 'application/json'],
    ];
    const always = [
      ['cache-control', 'no-cache'],
      ['scheme', 'https'],
    ];
    assert.deepEqual(Object.entries(query.headers), [...shown, ...always, ['X-Tenant', 'blau']]);
    assert.deepEqual(Object.entries(webhook.headers), [...shown, ['X-Tenant', 'blau']]);
  });
});
