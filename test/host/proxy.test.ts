import assert from 'node:assert/strict';
import type { TaskId } from '../../src/service/json/taskId';
import { RawServer } from '../unit/service/rawServer';
import { answering, response } from '../unit/service/responses';
import { CANARY, target, unwatched } from '../unit/service/wire';
import { activated } from './activated';
import { setUserSetting } from './userSettings';

describe('The HTTP client', () => {
  let proxy: RawServer;

  before(async () => {
    proxy = await RawServer.start(answering(response('407 Proxy Authentication Required', '')));
    await setUserSetting('http.proxy', proxy.url.origin);
    await setUserSetting('http.proxyAuthorization', 'Basic dXNlcjpwYXNz');
  });

  after(async () => {
    await setUserSetting('http.proxyAuthorization', undefined);
    await setUserSetting('http.proxy', undefined);
    await proxy.close();
  });

  it("sends requests to other machines only through VS Code's proxy, and the access key never to the proxy", async () => {
    const { service } = await activated();
    const dataset = target(new URL('https://import.example.invalid'));
    const outcome = await service.queryTask(dataset, '"1"' as TaskId, unwatched());
    const [head = '', ...others] = proxy.peers.map(({ request }) => request.head);
    assert.match(head, /^CONNECT import\.example\.invalid:443 HTTP\/1\.1\r\n/);
    assert.match(head, /\r\nproxy-authorization: Basic dXNlcjpwYXNz\r\n/i);
    assert.ok(!head.includes(CANARY) && !/access-key/i.test(head));
    assert.deepEqual(others, []);
    assert.ok(outcome.kind === 'notUploaded' && outcome.cause.name === 'ConnectError');
    assert.equal(outcome.cause.reason, 'proxyLogin');
  });
});
