import assert from 'node:assert/strict';
import type { Sandbox } from '../../../src/sandbox/sandbox';
import { exchange, fileForm, formOf, formPart, head, postForm, postJson, query, type Reply } from './exchange';
import { runSandbox } from './runSandbox';

const refusal = (code: string, message: string) => JSON.stringify({ code, message, data: null });

describe("the sandbox's profile requiredParts", () => {
  const document = formPart('document', 'hello', 'a.txt');
  const datasetCode = formPart('datasetCode', 'A1');
  const fileName = formPart('fileName', 'a.txt');

  for (const [order, form] of [
    ['fields first', formOf(datasetCode, fileName, document)],
    ['the document first', formOf(document, fileName, datasetCode)],
    ['a further field', formOf(formPart('size', '5'), datasetCode, document, fileName)],
  ] as const) {
    it(`takes a form of document, datasetCode and fileName with ${order}`, async () => {
      let time = 0;
      await runSandbox({ profile: 'requiredParts', now: () => time }, async (sandbox) => {
        const { envelope } = await postForm(sandbox, form);
        assert.equal(envelope.code, '0');
        time = 3000;
        const task = await query(sandbox, String(envelope.data?.taskId));
        assert.deepEqual([task?.status, task?.fileName, task?.bytes], ['SUCCEEDED', 'a.txt', 5]);
      });
    });
  }

  it('takes a file name that is long, not ASCII and has a folder', () => {
    const name = `docs/${'ü'.repeat(400)}.txt`;
    return runSandbox({ profile: 'requiredParts' }, async (sandbox) => {
      const form = formOf(formPart('document', 'x', name), datasetCode, formPart('fileName', name));
      assert.equal((await postForm(sandbox, form)).envelope.code, '0');
    });
  });

  for (const [what, form, code, message] of [
    [
      'lacks all of it',
      fileForm('x'),
      '1005',
      "form part 'document' is required; form part 'datasetCode' is required; form part 'fileName' is required",
    ],
    ['lacks the document', formOf(datasetCode, fileName), '1005', "form part 'document' is required"],
    ['lacks the datasetCode', formOf(document, fileName), '1005', "form part 'datasetCode' is required"],
    [
      'has an empty datasetCode',
      formOf(document, formPart('datasetCode', ''), fileName),
      '1005',
      "form part 'datasetCode' is required",
    ],
    ['lacks the fileName', formOf(datasetCode, document), '1005', "form part 'fileName' is required"],
    [
      'has the name of another file',
      formOf(datasetCode, document, formPart('fileName', 'b.txt')),
      '1006',
      'form part \'fileName\' must be the name of the file, "a.txt"',
    ],
    [
      'has a placeholder instead of the name',
      formOf(datasetCode, document, formPart('fileName', '${fileName}')),
      '1006',
      'form part \'fileName\' must be the name of the file, "a.txt"',
    ],
    [
      'has an empty document',
      formOf(datasetCode, formPart('document', '', 'a.txt'), fileName),
      '1002',
      'The file "a.txt" is empty.',
    ],
    [
      'has a document without a file name',
      formOf(datasetCode, formPart('document', 'hello'), fileName),
      '1001',
      'The part named "document" has no file name.',
    ],
  ] as const) {
    it(`refuses a form that ${what}`, () =>
      runSandbox({ profile: 'requiredParts' }, async (sandbox) => {
        const reply = await postForm(sandbox, form);
        assert.equal(reply.status, 200);
        assert.equal(reply.body, refusal(code, message));
      }));
  }
});

describe("the sandbox's profile gateway", () => {
  const form = fileForm('x');

  function importThrough(sandbox: Sandbox, headers: Record<string, string>): Promise<Reply> {
    const type = { 'Content-Type': 'multipart/form-data; boundary=X', 'Content-Length': form.length };
    return exchange(sandbox, head('/openapi/open/v1/file-task', { ...headers, ...type }), form);
  }

  function queryThrough(sandbox: Sandbox, json: string): Promise<Reply> {
    const headers = { 'Access-Key': sandbox.accessKey, 'X-Tenant': 'sandbox', 'Content-Type': 'application/json' };
    const queryHead = head('/openapi/open/v1/query-task', { ...headers, 'Content-Length': json.length });
    return exchange(sandbox, queryHead, json);
  }

  it('names the header that is missing or wrong, for each operation and before it looks at the key', () =>
    runSandbox({ profile: 'gateway' }, async (sandbox) => {
      const replies = [
        await postForm(sandbox, form),
        await postJson(sandbox, 'query-task', '{"taskId":"a"}'),
        await postJson(sandbox, 'set-webhook', '{"url":"http://localhost/"}'),
        await importThrough(sandbox, { 'Access-Key': sandbox.accessKey, 'X-Tenant': 'other' }),
        await importThrough(sandbox, { 'Access-Key': 'wrong' }),
      ];
      for (const { status, body } of replies) {
        assert.equal(status, 400);
        assert.equal(body, refusal('400', 'The header X-Tenant is required; its value must be "sandbox".'));
      }
    }));

  it('answers a bad key with HTTP 200 and a code', () =>
    runSandbox({ profile: 'gateway' }, async (sandbox) => {
      const wrong = await importThrough(sandbox, { 'x-tenant': 'sandbox', 'Access-Key': 'wrong' });
      assert.equal(wrong.status, 200);
      assert.equal(wrong.body, refusal('40101', 'The Access-Key is not that of this sandbox.'));
      const missing = await importThrough(sandbox, { 'x-tenant': 'sandbox' });
      assert.equal(missing.status, 200);
      assert.equal(missing.body, refusal('40101', 'The header Access-Key is missing.'));
    }));

  it('turns every third query away and nothing else, and follows a task to its end', async () => {
    let time = 0;
    await runSandbox({ profile: 'gateway', now: () => time }, async (sandbox) => {
      const headers = { 'Access-Key': sandbox.accessKey, 'X-Tenant': 'sandbox' };
      const imports = [];
      for (let count = 0; count < 4; count++) imports.push((await importThrough(sandbox, headers)).envelope);
      assert.deepEqual(
        imports.map(({ code }) => code),
        ['0', '0', '0', '0'],
      );
      const replies: Reply[] = [];
      for (time of [0, 999, 1000, 1500, 2999, 3000, 3001]) {
        replies.push(await queryThrough(sandbox, JSON.stringify({ taskId: imports[0]?.data?.taskId })));
      }
      assert.deepEqual(
        replies.map(({ envelope: { code, data } }) => data?.status ?? code),
        ['QUEUED', 'QUEUED', '42900', 'RUNNING', 'RUNNING', '42900', 'SUCCEEDED'],
      );
      assert.equal(replies[2]?.status, 200);
      const reason = 'Too many requests: every third query is turned away. Try again later.';
      assert.equal(replies[2]?.body, refusal('42900', reason));
    });
  });

  it('counts for each sandbox apart', () =>
    runSandbox({ profile: 'gateway' }, async (first) => {
      await queryThrough(first, '{"taskId":"a"}');
      await queryThrough(first, '{"taskId":"a"}');
      await runSandbox({ profile: 'gateway' }, async (second) => {
        assert.equal((await queryThrough(second, '{"taskId":"a"}')).envelope.code, '1003');
      });
      assert.equal((await queryThrough(first, '{"taskId":"a"}')).envelope.code, '42900');
    }));
});
