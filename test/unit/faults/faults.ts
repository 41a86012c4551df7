import type { HttpSettings } from '../../../src/service/http/http';
import { type CertificateName, tlsServer } from '../service/certificates';
import type { RawServer, Script } from '../service/rawServer';
import { ACCEPTED, response } from '../service/responses';
import { CANARY, SETTINGS } from '../service/wire';
import { afterRequest, atBodyByte, resets, sends, sendsUpToByte, staysSilent, trickles } from './script';

/** A fault that happens on every connection. */
export interface Fault {
  readonly script: Script;
  /** Defaults to a server without TLS. */
  readonly server?: () => ReturnType<typeof tlsServer>;
  readonly trusts?: readonly CertificateName[];
  /** Defaults to the server's own URL. */
  readonly baseUrl?: (server: RawServer) => URL;
  readonly settings?: (server: RawServer) => Partial<HttpSettings>;
  /** Whether the server is closed before the first request. */
  readonly isDown?: true;
  /** False if no request ever arrives. */
  readonly arrives?: false;
}

const echo = `no, not with ${CANARY}`;
const html = `<html><h1>${echo}</h1></html>`;
const envelope = (code: unknown, data: unknown = null, message: string | null = echo) =>
  JSON.stringify({ code, message, data });
const RUNNING = envelope('0', { status: 'RUNNING' }, null);
const whole = response('200 OK', ACCEPTED);

function responds(status: string, body: string | Uint8Array, ...headers: string[]): Fault {
  return { script: afterRequest(sends(response(status, body, ...headers))) };
}

function untrusted(certificate: CertificateName, ...trusts: CertificateName[]): Fault {
  return {
    script: afterRequest(staysSilent),
    server: () => tlsServer(certificate),
    trusts,
    baseUrl: ({ port }) => new URL(`https://127.0.0.1:${port}`),
    arrives: false,
  };
}

const impatient = () => ({ timeOuts: { ...SETTINGS.timeOuts, responseMs: 500, queryMs: 500 } });

/**
 * Every kind of fault that a network or service can cause. The tests in `unit/service` cover variants of these faults.
 */
export const FAULTS = {
  refusedConnection: { script: afterRequest(staysSilent), isDown: true, arrives: false },
  untrustedCertificate: untrusted('loopback'),
  certificateOfAnotherHost: untrusted('elsewhere', 'elsewhere'),
  proxyLogin: {
    script: afterRequest(sends(response('407 Proxy Authentication Required', html))),
    baseUrl: () => new URL('https://service.invalid'),
    settings: ({ url }) => ({ proxy: url.href, noProxy: '' }),
    arrives: false,
  },
  resetInBody: { script: atBodyByte(1, resets) },
  resetAfterBody: { script: afterRequest(resets) },
  silence: { script: afterRequest(staysSilent), settings: impatient },
  rejection: responds('400 Bad Request', envelope('A-1')),
  plainRejection: responds('404 Not Found', html),
  earlyRejection: { script: atBodyByte(1, sends(response('413 Content Too Large', 'at most 1 MiB'))) },
  badKey: responds('401 Unauthorized', envelope('K-1')),
  forbidden: responds('403 Forbidden', html),
  busy: responds('429 Too Many Requests', envelope('busy'), 'Retry-After: 30'),
  busyForAges: responds('429 Too Many Requests', echo, `Retry-After: ${'9'.repeat(400)}`),
  unavailable: responds('503 Service Unavailable', envelope('busy'), 'Retry-After: 30'),
  serverError: responds('500 Internal Server Error', ACCEPTED),
  html: responds('200 OK', html),
  cutResponse: { script: afterRequest(sendsUpToByte(whole.length - 2, whole)) },
  hugeResponse: responds('200 OK', ACCEPTED.padEnd(1024 * 1024 + 1)),
  notHttp: { script: afterRequest(sends(`HTTP/1.1 200 OK\r\n${CANARY}\r\n\r\n`)) },
  otherCode: responds('200 OK', envelope('D-17', { key: CANARY })),
  numericCode: responds('200 OK', envelope(0, { status: 'RUNNING' }, null)),
  noData: responds('200 OK', envelope('0', null, null)),
  seeOther: responds('303 See Other', ACCEPTED, 'Location: /elsewhere'),
  redirect: responds('307 Temporary Redirect', '', 'Location: https://elsewhere.invalid/'),
  unaskedContinue: {
    script: afterRequest(sends(`HTTP/1.1 100 Continue\r\n\r\n${response('200 OK', RUNNING)}`)),
  },
  deepResponse: responds('200 OK', envelope('0', { deep: 0 }, null).replace('0}', `${nested(6000)}}`)),
  tricklingResponse: {
    script: afterRequest(trickles('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', ' ')),
    settings: impatient,
  },
} as const satisfies Readonly<Record<string, Fault>>;

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

export type FaultName = keyof typeof FAULTS;
