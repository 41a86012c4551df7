import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../src/service/contract/contract';
import type { TaskId } from '../../src/service/json/taskId';
import type { Target } from '../../src/service/request/requests';
import { RawServer } from '../unit/service/rawServer';
import { answering, response } from '../unit/service/responses';
import { activated, type Engine } from './activated';
import { setUserSetting } from './userSettings';

describe('The HTTP client', () => {
  let engine: Engine;
  let proxy: RawServer;

  before(async () => {
    engine = await activated();
    proxy = await RawServer.start(answering(response('407 Proxy Authentication Required', '')));
    await setUserSetting('http.proxy', proxy.url.origin);
  });

  after(async () => {
    await setUserSetting('http.proxy', undefined);
    await proxy.close();
  });

  it("sends requests to other machines only through VS Code's proxy, even if the proxy rejects them", async () => {
    const target: Target = {
      baseUrl: new URL('https://import.example.invalid'),
      contract: DEFAULT_CONTRACT,
      accessKey: 'proxy-test-key',
    };
    const outcome = await engine.service.queryTask(target, '"1"' as TaskId, { signal: new AbortController().signal });
    const lines = proxy.peers.map(({ request }) => request.head.split('\r\n')[0]);
    assert.deepEqual(lines, ['CONNECT import.example.invalid:443 HTTP/1.1']);
    assert.ok(outcome.kind === 'notUploaded' && outcome.cause.name === 'ConnectError');
    assert.equal(outcome.cause.reason, 'proxyLogin');
  });
});
