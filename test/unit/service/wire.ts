import dns from 'node:dns';
import { type Contract, DEFAULT_CONTRACT } from '../../../src/service/contract/contract';
import { Http, type HttpClock, type HttpSettings } from '../../../src/service/http/http';
import { ImportService, type Watch } from '../../../src/service/importService';
import type { Target } from '../../../src/service/request/requests';

/** An access key to be looked for wherever it must not be. */
export const CANARY = 'canary/+key&"7f3a\\9c';

/** Settings under which nothing times out within a test and no proxy of the environment is used. */
export const SETTINGS: HttpSettings = {
  timeOuts: { connectMs: 60_000, idleMs: 60_000, responseMs: 60_000, queryMs: 60_000 },
  proxy: undefined,
  noProxy: '*',
  proxyAuthorization: undefined,
  proxyStrictTls: true,
  systemCertificates: false,
  // Some resolvers answer for names that do not exist.
  lookup: (hostname, options, callback) => {
    if (!hostname.endsWith('.invalid')) return dns.lookup(hostname, options, callback);
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname });
    return process.nextTick(() => callback(error, ''));
  },
};

/** The service over real sockets. */
export function wire(
  settings: Partial<HttpSettings> = {},
  {
    now = Date.now,
    monotonicMs = () => performance.now(),
    maxIdleMs,
  }: Partial<HttpClock> & { readonly maxIdleMs?: number } = {},
): ImportService {
  return new ImportService(new Http(() => ({ ...SETTINGS, ...settings }), { now, monotonicMs }, maxIdleMs));
}

/** A dataset behind this address. */
export function target(baseUrl: URL, contract: Partial<Contract> = {}): Target {
  return { baseUrl, contract: { ...DEFAULT_CONTRACT, ...contract }, accessKey: CANARY };
}

/** A watch that nobody stops. */
export function unwatched(): Watch {
  return { signal: new AbortController().signal };
}
