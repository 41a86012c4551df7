import dns from 'node:dns';
import { type Contract, DEFAULT_CONTRACT } from '../../../src/service/contract/contract';
import { Http, type HttpClock, type HttpSettings, type Watch } from '../../../src/service/http/http';
import { ImportService } from '../../../src/service/importService';
import type { Target } from '../../../src/service/request/requests';

/** An access key that must never leak. */
export const CANARY = 'canary/+key&"7f3a\\9c';

/** Settings with long timeouts and no proxy. */
export const SETTINGS: HttpSettings = {
  timeOuts: { connectMs: 60_000, idleMs: 60_000, responseMs: 60_000, queryMs: 60_000 },
  proxy: undefined,
  noProxy: '*',
  proxyAuthorization: undefined,
  proxyStrictTls: true,
  systemCertificates: false,
  // Some DNS resolvers resolve names that don't exist, so fail `.invalid` names here.
  lookup: (hostname, options, callback) => {
    if (!hostname.endsWith('.invalid')) return dns.lookup(hostname, options, callback);
    const error = Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname });
    return process.nextTick(() => callback(error, ''));
  },
};

/** Returns an ImportService that uses real sockets. */
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

/** A dataset at this address. */
export function target(baseUrl: URL, contract: Partial<Contract> = {}): Target {
  return { baseUrl, contract: { ...DEFAULT_CONTRACT, ...contract }, accessKey: CANARY };
}

/** A watch whose signal is never aborted. */
export function unwatched(): Watch {
  return { signal: new AbortController().signal };
}
