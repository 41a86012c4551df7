import zlib from 'node:zlib';
import type { HttpSettings } from '../../../src/service/http/http';
import { type CertificateName, tlsServer } from '../service/certificates';
import type { RawServer, Script } from '../service/rawServer';
import { response, TAKEN } from '../service/responses';
import { CANARY, SETTINGS } from '../service/wire';
import { NOON } from '../tasks/temporaryStore';
import {
  afterRequest,
  atBodyByte,
  drips,
  ends,
  resets,
  says,
  saysUpToByte,
  saysWithoutEnd,
  staysSilent,
} from './script';

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

/** The rows of FAULTS.md that the network and the service bring about, and the shapes in which each comes. */
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
    'a certificate that has expired': untrusted('expired', 'expired'),
    'a server that does not speak TLS': {
      script: async (peer) => {
        if (await peer.readBytes(1)) peer.end(response('400 Bad Request', html));
      },
      baseUrl: secure,
      arrives: false,
    },
  },
  'proxy answers 407 or refuses CONNECT': {
    'a 407': proxied(afterRequest(says(response('407 Proxy Authentication Required', html)))),
    'a 403': proxied(afterRequest(says(response('403 Forbidden', html)))),
    'a 502': proxied(afterRequest(says(response('502 Bad Gateway', html)))),
    'an end': proxied(afterRequest(ends)),
  },
  'connection reset before the body is complete': {
    'at the first byte of the request': {
      script: async (peer) => {
        if (await peer.readBytes(1)) peer.reset();
      },
    },
    'at the first byte of the body': { script: atBodyByte(1, resets) },
    'ended there in good order': { script: atBodyByte(1, ends) },
  },
  'connection reset after the body, or headers never come': {
    'a reset': { script: afterRequest(resets) },
    'an end': { script: afterRequest(ends) },
    silence: { script: afterRequest(staysSilent), settings: hasty('responseMs') },
    'headers that never end': {
      script: afterRequest(saysUpToByte(20, whole, staysSilent)),
      settings: hasty('responseMs'),
    },
    'words that are not HTTP': { script: afterRequest(says(`SSH-2.0-service ${CANARY}\r\n`)) },
  },
  '4xx with an envelope': {
    'a 400': responses('400 Bad Request', envelope('A-1')),
    'a 404': responses('404 Not Found', envelope('404')),
    'a 409 whose code is "0"': responses('409 Conflict', envelope('0')),
  },
  '4xx with an envelope: 401 and 403': {
    'a 401 with an envelope': responses('401 Unauthorized', envelope('K-1')),
    'a 403 without one': responses('403 Forbidden', html),
  },
  '4xx without an envelope': {
    'HTML with 404': responses('404 Not Found', html),
    'text with 405': responses('405 Method Not Allowed', echo),
    'nothing with 400': responses('400 Bad Request', ''),
  },
  '429, 503 with Retry-After: 429': {
    'with an envelope': responses('429 Too Many Requests', envelope('busy'), 'Retry-After: 30'),
    'with text': responses('429 Too Many Requests', echo, 'Retry-After: 30'),
    'with a date': responses('429 Too Many Requests', echo, `Retry-After: ${new Date(NOON + 30_000).toUTCString()}`),
  },
  '429, 503 with Retry-After: 503': {
    'with an envelope': responses('503 Service Unavailable', envelope('busy'), 'Retry-After: 30'),
    'with HTML': responses('503 Service Unavailable', html, 'Retry-After: 30'),
  },
  '5xx, envelope or not': {
    'a 500 with an envelope': responses('500 Internal Server Error', envelope('E-1')),
    'a 500 whose envelope says success': responses('500 Internal Server Error', TAKEN),
    'a 502 with HTML': responses('502 Bad Gateway', html),
    'a 503 that does not say for how long': responses('503 Service Unavailable', ''),
  },
  'HTML or other non-JSON with 200': {
    HTML: responses('200 OK', html),
    nothing: responses('200 OK', ''),
    'JSON without a code': responses('200 OK', JSON.stringify({ key: CANARY })),
  },
  'truncated JSON, or body shorter than its Content-Length': {
    'truncated JSON': responses('200 OK', TAKEN.slice(0, -2)),
    'a body that is cut off': { script: afterRequest(saysUpToByte(whole.length - 2, whole)) },
    'a body that is reset': { script: afterRequest(saysUpToByte(whole.length - 2, whole, resets)) },
    'a body that falls silent': {
      script: afterRequest(saysUpToByte(whole.length - 2, whole, staysSilent)),
      settings: hasty('idleMs'),
    },
    'a last chunk that is missing': {
      script: afterRequest(
        says(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${TAKEN.length.toString(16)}\r\n${TAKEN}\r\n`, ends),
      ),
    },
  },
  'answer larger than 1 MiB': {
    'by one byte': responses('200 OK', TAKEN.padEnd(1024 * 1024 + 1)),
    'without an end': { script: afterRequest(saysWithoutEnd('HTTP/1.1 200 OK')) },
  },
  '200 with `code` other than "0"': {
    'another string': responses('200 OK', envelope('D-17', { key: CANARY })),
    'a number': responses('200 OK', envelope(17)),
  },
  '`code` is the number 0, `message` not null, a BOM before the JSON, gzip': {
    'the number 0': responses('200 OK', envelope(0, { status: 'RUNNING' }, null)),
    'a message': responses('200 OK', envelope('0', { status: 'RUNNING' }, `fine, ${CANARY}`)),
    'a BOM': responses('200 OK', `\uFEFF${envelope('0', { status: 'RUNNING' }, null)}`),
    gzip: responses('200 OK', zlib.gzipSync(envelope('0', { status: 'RUNNING' }, null)), 'Content-Encoding: gzip'),
  },
  '`code` "0" but `data` null or not an object': {
    null: responses('200 OK', envelope('0', null, null)),
    'a text': responses('200 OK', envelope('0', CANARY, null)),
  },
  'redirect: 301, 302 and 303': {
    'a 301': responses('301 Moved Permanently', '', 'Location: https://elsewhere.invalid/'),
    'a 302': responses('302 Found', html, `Location: https://elsewhere.invalid/?key=${encodeURIComponent(CANARY)}`),
    'a 303 whose body says success': responses('303 See Other', TAKEN, 'Location: /elsewhere'),
  },
  'redirect: 307 and 308': {
    'a 307': responses('307 Temporary Redirect', '', 'Location: https://elsewhere.invalid/'),
    'a 308 into the same origin': responses('308 Permanent Redirect', '', 'Location: /elsewhere'),
  },
  'an unsolicited `100 Continue`, 102, 103': {
    'a 100': { script: afterRequest(says(`HTTP/1.1 100 Continue\r\n\r\n${response('200 OK', RUNNING)}`)) },
    'a 100 before the body': {
      script: atBodyByte(
        0,
        says('HTTP/1.1 100 Continue\r\n\r\n', (peer) => afterRequest(says(response('200 OK', RUNNING)))(peer, 1)),
      ),
    },
    'one of each': {
      script: afterRequest(
        says(
          ['100 Continue', '102 Processing', '103 Early Hints\r\nLink: </a>']
            .map((line) => `HTTP/1.1 ${line}\r\n\r\n`)
            .concat(String(response('200 OK', RUNNING)))
            .join(''),
        ),
      ),
    },
  },
  'response nested deeper than 200 levels, or a million keys': {
    '6,000 lists': responses('200 OK', envelope('0', { deep: 0 }, null).replace('0}', `${nested(6000)}}`)),
    'as many lists as there is room for': responses('200 OK', `{"code":"0","message":null,"data":${nested(500_000)}}`),
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
    'a head': { script: afterRequest(drips('HTTP/1.1 200 OK\r\nX: ', 'x')), settings: hasty('responseMs') },
    'interim heads': {
      script: afterRequest(drips('', 'HTTP/1.1 102 Processing\r\n\r\n')),
      settings: hasty('responseMs'),
    },
  },
  '`Retry-After` 0, negative, fractional, absurd, a date without `Date`': {
    ...Object.fromEntries(
      ['0', '-1', '1.5', '9'.repeat(400), 'Sat, 31 Jan 2026 12:00:30 GMT', 'Sat Jan 31 2026'].map((value) => [
        value.slice(0, 40),
        responses('429 Too Many Requests', echo, `Retry-After: ${value}`),
      ]),
    ),
  },
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
