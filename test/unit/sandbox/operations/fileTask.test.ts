import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  assertRefused,
  fileForm,
  formOf,
  formPart,
  head,
  importText,
  open,
  postForm,
  query,
  readReply,
  uploadHead,
} from '../exchange';
import { runSandbox } from '../runSandbox';

describe("The sandbox's file-task operation", () => {
  it('responds with a task ID that is a string and differs for each import', () =>
    runSandbox({}, async (sandbox) => {
      const { status, head, envelope } = await postForm(sandbox, fileForm('one\ntwo\n'));
      assert.equal(status, 200);
      assert.match(head, /^content-type: application\/json$/im);
      assert.deepEqual(Object.keys(envelope), ['code', 'message', 'data']);
      assert.equal(envelope.code, '0');
      assert.equal(envelope.message, null);
      assert.equal(typeof envelope.data?.taskId, 'string');
      assert.notEqual(await importText(sandbox, 'one\ntwo\n'), envelope.data?.taskId);
    }));

  it('accepts fields before and after the file', () =>
    runSandbox({}, async (sandbox) => {
      const form = formOf(formPart('datasetCode', 'A1'), formPart('file', 'x;y', 'docs/ä b.txt'), formPart('size', ''));
      const { envelope } = await postForm(sandbox, form);
      assert.equal(envelope.code, '0');
      assert.equal((await query(sandbox, String(envelope.data?.taskId)))?.fileName, 'docs/ä b.txt');
    }));

  for (const [what, body] of [
    ['no part named file', formOf(formPart('data', 'hi', 'a'))],
    ['no parts at all', '--X--\r\n'],
    ['a part that is named "file" but has no file name', formOf(formPart('file', 'hi'))],
    ['two files', formOf(formPart('file', 'hi', 'a'), formPart('file', 'hi', 'b'))],
    ['a part without a name', '--X\r\nContent-Disposition: form-data\r\n\r\nhi\r\n--X--\r\n'],
    ['a part without headers', '--X\r\n\r\nhi\r\n--X--\r\n'],
  ] as const) {
    it(`rejects a form with ${what}`, () =>
      runSandbox({}, async (sandbox) => {
        const { status, envelope } = await postForm(sandbox, body);
        assert.equal(status, 200);
        assert.equal(envelope.code, '1001');
        assert.equal(envelope.data, null);
        assert.match(envelope.message ?? '', /"file"/);
      }));
  }

  for (const [what, body] of [
    ['ends inside the file', '--X\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhi'],
    ['ends inside the headers of a part', '--X\r\nContent-Disposition: form-da'],
    ['lacks the last boundary', Buffer.concat([formPart('file', 'hi', 'a'), Buffer.from('--X\r\n')])],
    [
      'uses a different boundary from the one in its Content-Type',
      '--Y\r\nContent-Disposition: form-data; name="file"\r\n\r\nhi\r\n--Y--\r\n',
    ],
    ['is empty', ''],
  ] as const) {
    it(`rejects a form that ${what}`, () =>
      runSandbox({}, async (sandbox) => {
        assertRefused(await postForm(sandbox, body), 400);
      }));
  }

  it('responds even if a part has huge headers', () =>
    runSandbox({}, async (sandbox) => {
      const giant = `X-Giant: ${'g'.repeat(2_000_000)}\r\n`;
      const disposition = 'Content-Disposition: form-data; name="file"; filename="a"\r\n';
      const { envelope } = await postForm(sandbox, `--X\r\n${giant}${disposition}\r\nhi\r\n--X--\r\n`);
      assert.equal(envelope.code, '1001');
    }));

  for (const [where, end] of [
    ["in the middle of the file's headers", 20],
    ['in the middle of the file', -16],
    ['one byte before the end', -1],
  ] as const) {
    it(`still works after a client disconnects ${where}, and doesn't log a response to that client`, async () => {
      const lines: string[] = [];
      await runSandbox({ log: (line) => lines.push(line) }, async (sandbox) => {
        const socket = await open(sandbox);
        const whole = fileForm('hello, this is a text');
        socket.write(uploadHead(sandbox, whole.length));
        await new Promise((resolve) => socket.write(whole.subarray(0, end), resolve));
        socket.destroy();
        await importText(sandbox, 'the next file');
        assert.equal(lines.length, 1);
      });
    });
  }

  it('reads a rejected upload to the end, so that the client still gets the response', () =>
    runSandbox({}, async (sandbox) => {
      const socket = await open(sandbox);
      const body = Buffer.alloc(5_000_000, 'n');
      socket.write(head('/openapi/open/v1/file-task', { 'Access-Key': 'wrong', 'Content-Length': body.length }));
      socket.write(body.subarray(1));
      socket.write(body.subarray(0, 1));
      if (socket.writableNeedDrain) await once(socket, 'drain');
      assert.equal((await readReply(socket)).status, 401);
    }));
});
