import type { HttpSettings } from '../../../src/service/http/http';
import { type CertificateName, tlsServer } from '../service/certificates';
import type { RawServer, Script } from '../service/rawServer';
import { ACCEPTED, response } from '../service/responses';
import { CANARY, SETTINGS } from '../service/wire';
import { afterRequest, atBodyByte, resets, sends, sendsUpToByte, staysSilent, trickles } from './script';

/** A fault that happens on every connection. */
export interface Fault {
  /** The end of the titles of tests, which begin with what happens after the fault. */
  readonly when?: string;
  readonly script: Script;
  /** Whether the fault occurs only if the file is larger than the socket buffers. */
  readonly isLarge?: true;
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
const envelope = (code: string, data: unknown = null, message: string | null = echo) =>
  JSON.stringify({ code, message, data });
const whole = response('200 OK', ACCEPTED);

function responds(when: string, status: string, body: string | Uint8Array, ...headers: string[]): Fault {
  return { when, script: afterRequest(sends(response(status, body, ...headers))) };
}

function untrusted(when: string, certificate: CertificateName, ...trusts: CertificateName[]): Fault {
  return {
    when,
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
  refusedConnection: {
    when: 'if the service refuses connections',
    script: afterRequest(staysSilent),
    isDown: true,
    arrives: false,
  },
  untrustedCertificate: untrusted("if the service's certificate is not trusted", 'loopback'),
  certificateOfAnotherHost: untrusted('if the certificate is for another host', 'elsewhere', 'elsewhere'),
  proxyLogin: {
    when: 'after a proxy responds with 407',
    script: afterRequest(sends(response('407 Proxy Authentication Required', html))),
    baseUrl: () => new URL('https://service.invalid'),
    settings: ({ url }) => ({ proxy: url.href, noProxy: '' }),
    arrives: false,
  },
  resetInBody: {
    when: 'if the connection is reset before the whole request has been sent',
    isLarge: true,
    script: atBodyByte(1, resets),
  },
  resetAfterBody: {
    when: 'if the connection is reset after the whole request has been sent',
    script: afterRequest(resets),
  },
  silence: { when: 'if there is no response', script: afterRequest(staysSilent), settings: impatient },
  rejection: responds('after a 400 with an envelope', '400 Bad Request', envelope('A-1')),
  plainRejection: responds('after a 404 with HTML', '404 Not Found', html),
  earlyRejection: {
    when: 'if a 413 arrives while the request is still being sent',
    isLarge: true,
    script: atBodyByte(1, sends(response('413 Content Too Large', 'at most 1 MiB'))),
  },
  badKey: responds('after a 401', '401 Unauthorized', envelope('K-1')),
  forbidden: responds('after a 403', '403 Forbidden', html),
  busy: responds('after a 429', '429 Too Many Requests', envelope('busy'), 'Retry-After: 30'),
  unavailable: responds(
    'after a 503 with a Retry-After',
    '503 Service Unavailable',
    envelope('busy'),
    'Retry-After: 30',
  ),
  serverError: responds('after a 500 whose envelope says success', '500 Internal Server Error', ACCEPTED),
  html: responds('after a 200 with HTML', '200 OK', html),
  cutResponse: {
    when: 'if the response is shorter than its Content-Length',
    script: afterRequest(sendsUpToByte(whole.length - 2, whole)),
  },
  hugeResponse: responds('if the response is longer than 1 MiB', '200 OK', ACCEPTED.padEnd(1024 * 1024 + 1)),
  notHttp: {
    when: 'if the response is not valid HTTP',
    script: afterRequest(sends(`HTTP/1.1 200 OK\r\n${CANARY}\r\n\r\n`)),
  },
  otherCode: responds('after a 200 with a code other than "0"', '200 OK', envelope('D-17', { key: CANARY })),
  noData: responds('if the data is null', '200 OK', envelope('0', null, null)),
  seeOther: responds('after a 303 whose envelope says success', '303 See Other', ACCEPTED, 'Location: /elsewhere'),
  redirect: responds(
    'after a 307, because redirects are not followed',
    '307 Temporary Redirect',
    '',
    'Location: https://elsewhere.invalid/',
  ),
  tricklingResponse: {
    when: 'if the response is still trickling in at its deadline',
    script: afterRequest(trickles('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', ' ')),
    settings: impatient,
  },
} as const satisfies Readonly<Record<string, Fault>>;

export type FaultName = keyof typeof FAULTS;
