import assert from 'node:assert/strict';
import type { ConnectError } from '../../../../src/service/errors';
import { proxyFor, type RouteSettings } from '../../../../src/service/http/route';

const SETTINGS: RouteSettings = {
  proxy: undefined,
  noProxy: undefined,
  proxyAuthorization: undefined,
  proxyStrictTls: true,
  systemCertificates: true,
};
const PROXY = 'http://proxy.example:3128';

function routeOf(url: string, settings: Partial<RouteSettings> = {}, env: NodeJS.ProcessEnv = {}): string | undefined {
  return proxyFor(new URL(url), { ...SETTINGS, ...settings }, env)?.host;
}

describe('The route to a service', () => {
  it('is direct if no proxy is configured, or if http.proxy is empty even though a proxy is set in the environment', () => {
    assert.equal(routeOf('https://service.example'), undefined);
    assert.equal(routeOf('https://service.example', { proxy: '' }, { https_proxy: PROXY }), undefined);
  });

  it('is always direct if the service has a loopback address', () => {
    for (const host of ['127.0.0.1', '[::1]', 'localhost']) {
      assert.equal(routeOf(`http://${host}:7800`, { proxy: PROXY, noProxy: '' }), undefined);
    }
  });

  it('uses http.proxy rather than the proxy set in the environment', () => {
    const env = { https_proxy: 'http://other.example:1' };
    assert.equal(routeOf('https://service.example', { proxy: PROXY }, env), 'proxy.example:3128');
    assert.equal(routeOf('https://service.example', {}, env), 'other.example:1');
  });

  it("uses the proxy that is set in the environment for the URL's scheme", () => {
    const env = { HTTP_PROXY: 'http://plain.example:1', HTTPS_PROXY: 'http://secure.example:2' };
    assert.equal(routeOf('http://service.example', {}, env), 'plain.example:1');
    assert.equal(routeOf('https://service.example', {}, env), 'secure.example:2');
    assert.equal(routeOf('https://service.example', {}, { http_proxy: 'http://plain.example:1' }), 'plain.example:1');
  });

  for (const [proxy, reason, host] of [
    ['socks4://p.example:1', 'proxyScheme', 'p.example:1'],
    ['ftp://p.example:1', 'proxyScheme', 'p.example:1'],
    ...['not an address', 'localhost:3128', 'http://'].map((address) => [address, 'proxy', address] as const),
  ] as const) {
    it(`can't go through "${proxy}", because ${reason === 'proxy' ? "it isn't a URL" : "its scheme isn't supported"}`, () => {
      const expected = { name: 'ConnectError', reason, host };
      assert.throws(() => routeOf('https://service.example', { proxy }), expected);
    });
  }

  for (const proxy of ['me:secret@p.example:3128', 'http://me:sec@ret@:3128']) {
    it(`can't go through "${proxy}", and the error doesn't contain the password`, () => {
      assert.throws(
        () => routeOf('https://service.example', { proxy }),
        ({ reason, message }: ConnectError) => reason === 'proxy' && !/sec|ret/.test(message),
      );
    });
  }
});

describe('A request', () => {
  const cases: readonly [noProxy: string, url: string, isDirect: boolean][] = [
    ['*', 'https://service.example', true],
    ['service.example', 'https://service.example', true],
    ['SERVICE.example', 'https://Service.Example', true],
    ['service.example', 'https://service.example.', true],
    ['service.example.', 'https://service.example', true],
    ['other.example, service.example', 'https://service.example', true],
    ['example', 'https://service.example', true],
    ['.example', 'https://service.example', true],
    ['*.example', 'https://service.example', true],
    ['vice.example', 'https://service.example', false],
    ['service.example:443', 'https://service.example', true],
    ['service.example:8443', 'https://service.example', false],
    ['service.example:8443', 'https://service.example:8443', true],
    ['10.1.2.3', 'https://10.1.2.3', true],
    ['2.3', 'https://10.1.2.3', false],
    ['10.0.0.0/8', 'https://10.1.2.3', true],
    ['10.9.9.9/8', 'https://10.1.2.3', true],
    ['10.0.0.0/8', 'https://0x0a010203', true],
    ['10.0.0.0/8', 'https://11.1.2.3', false],
    ['192.168.1.0/30', 'https://192.168.1.4', false],
    ['10.0.0.0/8', 'https://service.example', false],
    ['10.0.0.0/99', 'https://10.1.2.3', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd00::/8', 'https://[fe80::1]', false],
    ['[fd12::1]', 'https://[fd12::1]', true],
    ['fd12::1', 'https://[fd12::1]', true],
  ];
  for (const [noProxy, url, isDirect] of cases) {
    it(`to ${url} is sent ${isDirect ? 'directly' : 'through the proxy'} if http.noProxy is "${noProxy}"`, () => {
      assert.equal(routeOf(url, { proxy: PROXY, noProxy }) === undefined, isDirect);
    });
  }

  it('is sent directly if http.noProxy is not set but the environment variable no_proxy names the host', () => {
    const env = { no_proxy: 'service.example' };
    assert.equal(routeOf('https://service.example', { proxy: PROXY }, env), undefined);
  });
});
