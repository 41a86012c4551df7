import assert from 'node:assert/strict';
import { postJson } from '../exchange';
import { runSandbox } from '../runSandbox';

describe("The sandbox's set-webhook operation", () => {
  it('responds with the URL that it received', () =>
    runSandbox({}, async (sandbox) => {
      const url = 'https://example.com/hook?a=b';
      const { envelope } = await postJson(sandbox, 'set-webhook', JSON.stringify({ url }));
      assert.deepEqual(envelope, { code: '0', message: null, data: { url } });
    }));

  for (const json of ['{"url": 1}', '{"url": ""}', '{"url": "ftp://localhost/"}', '[]']) {
    it(`rejects ${json}, because it contains no http or https URL`, () =>
      runSandbox({}, async (sandbox) => {
        assert.equal((await postJson(sandbox, 'set-webhook', json)).envelope.code, '400');
      }));
  }
});
