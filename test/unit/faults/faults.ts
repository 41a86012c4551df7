import type { HttpSettings } from '../../../src/service/http/http';
import { type CertificateName, tlsServer } from '../service/certificates';
import type { RawServer, Script } from '../service/rawServer';
import { response, TAKEN } from '../service/responses';
import { CANARY, SETTINGS } from '../service/wire';
import { afterRequest, atBodyByte, drips, resets, says, saysUpToByte, staysSilent } from './script';

/** What goes wrong, at every connection alike. */
export interface Fault {
  readonly script: Script;
  /** The server where it is not a plain one. */
  readonly server?: () => ReturnType<typeof tlsServer>;
  readonly trusts?: readonly CertificateName[];
  /** The dataset's address, where it is not the server's own over http. */
  readonly baseUrl?: (server: RawServer) => URL;
  readonly settings?: (server: RawServer) => Partial<HttpSettings>;
  /** The server is gone before the request is made. */
  readonly gone?: true;
  /** The service never sees a request. */
  readonly arrives?: false;
}

const echo = `no, not with ${CANARY}`;
const html = `<html><h1>${echo}</h1></html>`;
const envelope = (code: unknown, data: unknown = null, message: string | null = echo) =>
  JSON.stringify({ code, message, data });
const hasty = (which: keyof HttpSettings['timeOuts']) => () => ({
  timeOuts: { ...SETTINGS.timeOuts, ...(which === 'responseMs' ? { queryMs: 500 } : {}), [which]: 500 },
});
const responses = (status: string, body: string | Uint8Array, ...headers: string[]): Fault => ({
  script: afterRequest(says(response(status, body, ...headers))),
});
const secure = ({ port }: RawServer) => new URL(`https://127.0.0.1:${port}`);
const untrusted = (certificate: CertificateName, ...trusts: CertificateName[]): Fault => ({
  script: afterRequest(staysSilent),
  server: () => tlsServer(certificate),
  trusts,
  baseUrl: secure,
  arrives: false,
});
const proxied = (script: Script): Fault => ({
  script,
  baseUrl: () => new URL('https://service.invalid'),
  settings: ({ url }) => ({ proxy: url.href, noProxy: '' }),
  arrives: false,
});
const whole = response('200 OK', TAKEN);
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const RUNNING = envelope('0', { status: 'RUNNING' }, null);

/**
 * The rows of FAULTS.md that the network and the service bring about, each in one shape for every end that comes of it. All
 * shapes of a response or of a connection, and what they make of each operation, are in the tests of the service.
 */
export const FAULTS = {
  'DNS failure, connection refused, connect time-out': {
    'a name that does not resolve': {
      script: afterRequest(staysSilent),
      baseUrl: () => new URL('https://dataset-import.invalid'),
      arrives: false,
    },
    'a refused connection': { script: afterRequest(staysSilent), gone: true, arrives: false },
    'a connection that is never ready': {
      script: (peer) => peer.readToEnd(),
      baseUrl: secure,
      settings: hasty('connectMs'),
      arrives: false,
    },
  },
  'TLS or certificate error': {
    'a certificate that nobody vouches for': untrusted('loopback'),
    'a certificate for another host': untrusted('elsewhere', 'elsewhere'),
  },
  'proxy answers 407 or refuses CONNECT': {
    'a 407': proxied(afterRequest(says(response('407 Proxy Authentication Required', html)))),
  },
  'connection reset before the body is complete': {
    'at the first byte of the body': { script: atBodyByte(1, resets) },
  },
  'connection reset after the body, or headers never come': {
    'a reset': { script: afterRequest(resets) },
    silence: { script: afterRequest(staysSilent), settings: hasty('responseMs') },
  },
  '4xx with an envelope': { 'a 400': responses('400 Bad Request', envelope('A-1')) },
  '4xx with an envelope: 401 and 403': {
    'a 401 with an envelope': responses('401 Unauthorized', envelope('K-1')),
    'a 403 without one': responses('403 Forbidden', html),
  },
  '4xx without an envelope': { 'HTML with 404': responses('404 Not Found', html) },
  '429, 503 with Retry-After: 429': {
    'with an envelope': responses('429 Too Many Requests', envelope('busy'), 'Retry-After: 30'),
  },
  '429, 503 with Retry-After: 503': {
    'with an envelope': responses('503 Service Unavailable', envelope('busy'), 'Retry-After: 30'),
  },
  '5xx, envelope or not': {
    'a 500 whose envelope says success': responses('500 Internal Server Error', TAKEN),
    'a 502 with HTML': responses('502 Bad Gateway', html),
  },
  'HTML or other non-JSON with 200': {
    HTML: responses('200 OK', html),
    'JSON without a code': responses('200 OK', JSON.stringify({ key: CANARY })),
  },
  'truncated JSON, or body shorter than its Content-Length': {
    'truncated JSON': responses('200 OK', TAKEN.slice(0, -2)),
    'a body that is cut off': { script: afterRequest(saysUpToByte(whole.length - 2, whole)) },
  },
  'answer larger than 1 MiB': { 'by one byte': responses('200 OK', TAKEN.padEnd(1024 * 1024 + 1)) },
  '200 with `code` other than "0"': {
    'another string': responses('200 OK', envelope('D-17', { key: CANARY })),
  },
  '`code` is the number 0, `message` not null, a BOM before the JSON, gzip': {
    'the number 0': responses('200 OK', envelope(0, { status: 'RUNNING' }, null)),
  },
  '`code` "0" but `data` null or not an object': {
    null: responses('200 OK', envelope('0', null, null)),
    'a text': responses('200 OK', envelope('0', CANARY, null)),
  },
  'redirect: 301, 302 and 303': {
    'a 303 whose body says success': responses('303 See Other', TAKEN, 'Location: /elsewhere'),
  },
  'redirect: 307 and 308': {
    'a 307': responses('307 Temporary Redirect', '', 'Location: https://elsewhere.invalid/'),
  },
  'an unsolicited `100 Continue`, 102, 103': {
    'a 100': { script: afterRequest(says(`HTTP/1.1 100 Continue\r\n\r\n${response('200 OK', RUNNING)}`)) },
  },
  'response nested deeper than 200 levels, or a million keys': {
    '6,000 lists': responses('200 OK', envelope('0', { deep: 0 }, null).replace('0}', `${nested(6000)}}`)),
    'as many keys as there is room for': responses(
      '200 OK',
      envelope('0', Object.fromEntries(Array.from({ length: 90_000 }, (_, key) => [`k${key}`, 0])), null),
    ),
  },
  'response that drips': {
    'a body': {
      script: afterRequest(drips('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', ' ')),
      settings: hasty('responseMs'),
    },
  },
  '`Retry-After` 0, negative, fractional, absurd, a date without `Date`': Object.fromEntries(
    ['0', '-1', '9'.repeat(400)].map((value) => [
      value.slice(0, 40),
      responses('429 Too Many Requests', echo, `Retry-After: ${value}`),
    ]),
  ),
} as const satisfies Readonly<Record<string, Readonly<Record<string, Fault>>>>;

/** A row of FAULTS.md. */
export type FaultRow = keyof typeof FAULTS;

/** Declares the tests of every row; what is `expected` names them all. */
export function forEachFault<Expected>(
  expected: Readonly<Record<FaultRow, Expected>>,
  declare: (fault: Fault, name: string, expected: Expected) => void,
): void {
  for (const [row, faults] of Object.entries(FAULTS)) {
    describe(row, () => {
      for (const [name, fault] of Object.entries(faults)) declare(fault, name, expected[row as FaultRow]);
    });
  }
}
