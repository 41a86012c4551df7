import { BlockList, isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../contract/baseUrl';
import { ConnectError } from '../errors';

/** VS Code's settings for reaching a service. */
export interface RouteSettings {
  /** The proxy's address. An empty string means no proxy; undefined means the environment's `https_proxy` or `http_proxy`. */
  readonly proxy: string | undefined;
  /** Hosts to reach directly, separated by commas. Undefined means the environment's `no_proxy`. */
  readonly noProxy: string | undefined;
  /** The value of Proxy-Authorization. */
  readonly proxyAuthorization: string | undefined;
  /** Whether to verify the certificate of an https proxy. The service's certificate is always verified. */
  readonly proxyStrictTls: boolean;
  /** Whether to trust the system's certificates in addition to Node's. */
  readonly systemCertificates: boolean;
  /** Resolves host names. Defaults to Node's resolver. */
  readonly lookup?: LookupFunction;
}

/** The proxy schemes that undici supports. A SOCKS5 proxy always resolves the service's name itself. */
const PROXY_SCHEMES = ['http:', 'https:', 'socks5:', 'socks5h:', 'socks:'];

/**
 * Returns the proxy for a URL, or undefined to connect directly. Connections to loopback are always direct.
 * @throws ConnectError if the proxy's address is unusable
 */
export function proxyFor(url: URL, settings: RouteSettings, env: NodeJS.ProcessEnv = process.env): URL | undefined {
  if (isLoopback(url)) return undefined;
  const plain = env['http_proxy'] ?? env['HTTP_PROXY'] ?? '';
  const secure = env['https_proxy'] ?? env['HTTPS_PROXY'] ?? plain;
  const address = settings.proxy ?? (url.protocol === 'https:' ? secure : plain);
  if (address === '') return undefined;
  if (isExempt(url, settings.noProxy ?? env['no_proxy'] ?? env['NO_PROXY'] ?? '')) return undefined;
  const proxy = URL.parse(address);
  // `localhost:3128` parses as a URL with the scheme `localhost:`.
  if (proxy === null || proxy.hostname === '') {
    // Don't repeat the user info, which may contain a password.
    throw new ConnectError('proxy', address.replace(/^.*@/s, ''), { cause: new Error('not a URL') });
  }
  if (!PROXY_SCHEMES.includes(proxy.protocol))
    throw new ConnectError('proxyScheme', proxy.host, { cause: new Error(`unsupported scheme ${proxy.protocol}`) });
  return proxy;
}

/** Entries can be `*`, CIDR ranges, or addresses or hosts with an optional port. A host also matches its subdomains. */
function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.replace(/^\[|[\].]$/g, '').toLowerCase();
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      if (entry.includes('/')) return isInRange(host, entry);
      const [, name = '', entryPort] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [entry, entry];
      if (entryPort !== undefined && entryPort !== port) return false;
      const bare = name.replace(/^\[|[\].]$/g, '').replace(/^\*?\./, '');
      return host === bare || (isIP(host) === 0 && host.endsWith(`.${bare}`));
    });
}

function isInRange(host: string, range: string): boolean {
  const version = isIP(host);
  const [address = '', prefix] = range.split('/');
  const bits = Number(prefix);
  if (version === 0 || isIP(address) !== version || !(bits >= 0 && bits <= (version === 4 ? 32 : 128))) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(address, bits, family);
  return list.check(host, family);
}
