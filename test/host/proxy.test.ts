import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../src/service/contract/contract';
import type { TaskId } from '../../src/service/json/taskId';
import type { Target } from '../../src/service/request/requests';
import { RawServer } from '../unit/service/rawServer';
import { answering, response } from '../unit/service/responses';
import { activated, type Engine } from './activated';
import { startTinyService } from './tinyService';
import { setUserSetting } from './userSettings';

describe('The HTTP client', () => {
  let engine: Engine;
  let proxy: RawServer;
  let earlier = 0;

  before(async () => {
    engine = await activated();
    proxy = await RawServer.start(answering(response('407 Proxy Authentication Required', '')));
    await setUserSetting('http.proxy', proxy.url.origin);
  });

  after(async () => {
    await setUserSetting('http.proxy', undefined);
    await proxy.close();
  });

  beforeEach(() => {
    earlier = proxy.peers.length;
  });

  const heads = () => proxy.peers.slice(earlier).map(({ request }) => request.head);

  it("sends requests to other machines only through VS Code's proxy, even if the proxy rejects them", async () => {
    const outcome = await ask('https://import.example.invalid');
    const lines = heads().map((head) => head.split('\r\n')[0]);
    assert.deepEqual(lines, ['CONNECT import.example.invalid:443 HTTP/1.1']);
    assert.ok(outcome.kind === 'notUploaded' && outcome.cause.name === 'ConnectError');
    assert.equal(outcome.cause.reason, 'proxyLogin');
  });

  it("sends the proxy's credentials to the proxy, but never the access key", async () => {
    await setUserSetting('http.proxyAuthorization', 'Basic dXNlcjpwYXNz');
    await ask('https://import.example.invalid');
    await setUserSetting('http.proxyAuthorization', undefined);
    assert.match(heads()[0] ?? '', /\r\nproxy-authorization: Basic dXNlcjpwYXNz\r\n/i);
    assert.doesNotMatch(heads().join(), /proxy-test-key|access-key/i);
  });

  it('bypasses the proxy for requests to this machine', async () => {
    const service = await startTinyService({
      'query-task': () => '{"code":"0","message":null,"data":{"status":"done"}}',
    });
    for (const host of ['127.0.0.1', 'localhost']) {
      const outcome = await ask(`http://${host}:${service.baseUrl.port}`);
      assert.equal(outcome.kind, 'accepted', host);
    }
    await service.close();
    assert.deepEqual(heads(), []);
  });

  function ask(baseUrl: string) {
    const target: Target = { baseUrl: new URL(baseUrl), contract: DEFAULT_CONTRACT, accessKey: 'proxy-test-key' };
    return engine.service.queryTask(target, '"1"' as TaskId, { signal: new AbortController().signal });
  }
});
