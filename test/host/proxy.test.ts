import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { httpSettings } from '../../src/editor/platform/settings';
import { DEFAULT_CONTRACT } from '../../src/service/contract/contract';
import type { TaskId } from '../../src/service/json/taskId';
import type { Target } from '../../src/service/request/requests';
import { activated, type Engine } from './activated';
import { startTinyService } from './tinyService';
import { setUserSetting } from './userSettings';

describe("With VS Code's proxy settings, requests", () => {
  let engine: Engine;
  let proxy: TinyProxy;

  before(async () => {
    engine = await activated();
    proxy = await TinyProxy.start();
    await setUserSetting('http.proxy', proxy.url);
  });

  after(async () => {
    await setUserSetting('http.proxy', undefined);
    await proxy.close();
  });

  beforeEach(() => proxy.heads.splice(0));

  it('to another machine go through the proxy, and send nothing if the proxy rejects them', async () => {
    proxy.response = 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n';
    const outcome = await ask('https://import.example.invalid');
    assert.deepEqual(
      proxy.heads.map((head) => head.split('\r\n')[0]),
      ['CONNECT import.example.invalid:443 HTTP/1.1'],
    );
    assert.ok(outcome.kind === 'notUploaded' && outcome.cause.name === 'ConnectError');
    assert.equal(outcome.cause.reason, 'proxyLogin');
  });

  it('send the proxy its credentials but never the access key', async () => {
    await setUserSetting('http.proxyAuthorization', 'Basic dXNlcjpwYXNz');
    await ask('https://import.example.invalid');
    await setUserSetting('http.proxyAuthorization', undefined);
    assert.match(proxy.heads[0] ?? '', /\r\nproxy-authorization: Basic dXNlcjpwYXNz\r\n/i);
    assert.doesNotMatch(proxy.heads.join(), /proxy-test-key|access-key/i);
  });

  it('to this machine never go through the proxy', async () => {
    const service = await startTinyService({
      'query-task': () => '{"code":"0","message":null,"data":{"status":"done"}}',
    });
    for (const host of ['127.0.0.1', 'localhost']) {
      const outcome = await ask(`http://${host}:${service.baseUrl.port}`);
      assert.equal(outcome.kind, 'accepted', host);
    }
    await service.close();
    assert.deepEqual(proxy.heads, []);
  });

  it('bypass the proxy for excluded hosts, and for all hosts as soon as it is turned off', async () => {
    await setUserSetting('http.noProxy', ['import.example.invalid', 'more.example']);
    assert.equal(httpSettings().noProxy, 'import.example.invalid,more.example');
    await setUserSetting('http.noProxy', undefined);
    await setUserSetting('http.proxySupport', 'off');
    assert.equal(httpSettings().proxy, '');
    await setUserSetting('http.proxySupport', undefined);
    await ask('https://import.example.invalid');
    assert.equal(proxy.heads.length, 1);
  });

  function ask(baseUrl: string) {
    const target: Target = { baseUrl: new URL(baseUrl), contract: DEFAULT_CONTRACT, accessKey: 'proxy-test-key' };
    return engine.service.queryTask(target, '"1"' as TaskId, { signal: new AbortController().signal });
  }
});

/** A proxy that rejects everything. It records all requests and always sends the same response. */
class TinyProxy {
  readonly heads: string[] = [];
  response = 'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n';
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor() {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.once('data', (head) => {
        this.heads.push(head.toString());
        socket.end(this.response);
      });
    });
  }

  static async start(): Promise<TinyProxy> {
    const proxy = new TinyProxy();
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(this.#server, 'close');
  }
}
