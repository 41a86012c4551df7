import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import type { HttpResponse } from '../../../../src/service/http/exchange';
import { retryAfterMs } from '../../../../src/service/http/retryAfter';
import { stringifyJson } from '../../../../src/service/json/json';
import { KEY_MASK, KnownKeys } from '../../../../src/service/masking/mask';
import { readResponse } from '../../../../src/service/response/envelope';
import type { Reading } from '../../../../src/service/response/outcome';
import { assertKeyIsMasked } from '../assertKeyIsMasked';
import { formatRejection, runAgainst } from '../operations';
import { RawServer } from '../rawServer';
import { ACCEPTED, answering, response } from '../responses';
import { CANARY } from '../wire';

const MASK = KEY_MASK;
const html = '<html>\n<h1>Bad   Gateway</h1></html>';
const rejection = (code: string) => `{"code":${code},"message":"no such dataset","data":null}`;
const unconfirmed = (reason: string) => `unconfirmed: ${reason}`;
const ok = (body: string | Buffer, ...headers: string[]) => response('200 OK', body, ...headers);
const accepted = (data: string) => ok(`{"code":"0","message":null,"data":${data}}`);

/** Parses the bytes of a response. */
function parsed(bytes: Uint8Array): HttpResponse {
  const all = Buffer.from(bytes);
  const at = all.indexOf('\r\n\r\n');
  const [line = '', ...lines] = all.toString('latin1', 0, at).split('\r\n');
  const headers: Record<string, string | string[]> = {};
  for (const header of lines) {
    const [name = '', value = ''] = header.split(/: (.*)/);
    const before = headers[name.toLowerCase()];
    headers[name.toLowerCase()] = before === undefined ? value : [before, value].flat();
  }
  return { status: Number(line.split(' ')[1]), headers, body: all.subarray(at + 4) };
}

/** Reads a response, and checks that the access key is masked in the result. */
function readingOf(bytes: Uint8Array): Reading {
  const keys = new KnownKeys();
  keys.add(CANARY);
  const url = new URL('https://service.example/openapi');
  const reading = readResponse(parsed(bytes), url, keys, { badKey: [], tryLater: [] });
  assertKeyIsMasked(reading);
  return reading;
}

function readingText(reading: Reading): string {
  if (reading.kind === 'accepted') return 'accepted';
  return reading.kind === 'rejected' ? formatRejection(reading.rejection) : `unconfirmed: ${reading.cause.reason}`;
}

/** The service's own text, as it is shown to the user. */
function excerptOf(reading: Reading): string | undefined {
  if (reading.kind === 'unconfirmed') return reading.cause.excerpt;
  return reading.kind === 'rejected' && reading.rejection.by === 'status' ? reading.rejection.excerpt : undefined;
}

/** Reads a response and checks that it is accepted. */
async function acceptedResponse(bytes: Uint8Array) {
  const reading = readingOf(bytes);
  assert.ok(reading.kind === 'accepted');
  return reading.response;
}

describe('A response', () => {
  const table: readonly (readonly [what: string, bytes: Buffer, end: string])[] = [
    ['a normal envelope', ok(ACCEPTED), 'accepted'],
    ['a normal envelope and a 2xx status other than 200', response('201 Created', ACCEPTED), 'accepted'],
    ['a code other than "0"', ok(rejection('"E1042"')), 'rejected: 200, code E1042: no such dataset'],
    ['a numeric code other than 0', ok(rejection('1042')), 'rejected: 200, code 1042: no such dataset'],
    ['a code that only looks like 0', ok(rejection('"00"')), 'rejected: 200, code 00: no such dataset'],
    [
      'status 400 and an envelope',
      response('400 Bad Request', rejection('"E1"')),
      'rejected: 400, code E1: no such dataset',
    ],
    ['status 400 and the code "0"', response('400 Bad Request', ACCEPTED), 'rejected: 400, code 0: null'],
    ['status 404 and HTML', response('404 Not Found', html), 'rejected: 404: Bad Gateway'],
    ['status 404 and text', response('404 Not Found', 'nothing here'), 'rejected: 404: nothing here'],
    ['status 404 and an empty body', response('404 Not Found', ''), 'rejected: 404: '],
    [
      'status 500 and an envelope',
      response('500 Internal Server Error', rejection('"E3"')),
      unconfirmed('serverError'),
    ],
    ['status 500 and the code "0"', response('500 Internal Server Error', ACCEPTED), unconfirmed('serverError')],
    ['status 502 and HTML', response('502 Bad Gateway', html), unconfirmed('serverError')],
    ['status 200 and HTML', ok(html, 'Content-Type: text/html'), unconfirmed('notJson')],
    ['status 200 and an empty body', ok(''), unconfirmed('notJson')],
    ['status 204', Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'), unconfirmed('notJson')],
    ['status 200 and truncated JSON', ok(ACCEPTED.slice(0, -1)), unconfirmed('notJson')],
    ['half a million open brackets', ok('['.repeat(500_000)), unconfirmed('notJson')],
    ['half a million nested brackets', ok('['.repeat(500_000) + ']'.repeat(500_000)), unconfirmed('notEnvelope')],
    ['a list instead of an object', ok(`[${ACCEPTED}]`), unconfirmed('notEnvelope')],
    ['JSON without a code', ok('{"message":null,"data":{}}'), unconfirmed('notEnvelope')],
    ['the code true', ok(rejection('true')), unconfirmed('notEnvelope')],
    ['the number 0 as its code and null as its data', ok(rejection('0')), unconfirmed('notEnvelope')],
    ['a deflate body without a zlib header', ok(deflateRawSync(ACCEPTED), 'Content-Encoding: deflate'), 'accepted'],
    ['an invalid gzip body', ok(ACCEPTED, 'Content-Encoding: gzip'), unconfirmed('notJson')],
    ['a gzip bomb', ok(gzipSync(ACCEPTED.padEnd(64 * 1024 * 1024)), 'Content-Encoding: gzip'), unconfirmed('tooLarge')],
    ['an unknown encoding', ok(gzipSync(ACCEPTED), 'Content-Encoding: rot13'), unconfirmed('notJson')],
    ...['0', '0.0', '-0.0e-1'].map(
      (zero) => [`${zero} as its code`, ok(`{"code":${zero},"message":null,"data":{}}`), 'accepted'] as const,
    ),
    ['a code that is nearly 0', ok('{"code":1e-400,"message":"no","data":{}}'), 'rejected: 200, code 1e-400: no'],
    ['"0.0" as its code', ok(rejection('"0.0"')), 'rejected: 200, code 0.0: no such dataset'],
    ['a message that is a list', ok('{"code":"7","message":["no"]}'), 'rejected: 200, code 7: ["no"]'],
    ['data that is a list', accepted('[{"taskId":1}]'), 'accepted'],
    ['no data', ok('{"code":"0","message":null}'), 'accepted'],
    ...[201, 6000].map(
      (depth) =>
        [`data nested ${depth} levels deep`, accepted('['.repeat(depth) + ']'.repeat(depth)), 'accepted'] as const,
    ),
    [
      'a code other than 0 and data nested 6,000 levels deep',
      ok(`{"code":"7","message":"no","data":${'{"a":'.repeat(6000)}1${'}'.repeat(6000)}}`),
      'rejected: 200, code 7: no',
    ],
    [
      'truncated data nested 6,000 levels deep',
      accepted(`${'['.repeat(6000)}${']'.repeat(5999)}`),
      unconfirmed('notJson'),
    ],
  ];
  for (const [what, bytes, end] of table) {
    it(`with ${what} is read as "${end}"`, async () => assert.equal(readingText(readingOf(bytes)), end));
  }
});

describe('The log entry for an accepted response', () => {
  const deviating: [bytes: Buffer, deviations: readonly string[]][] = [
    [ok(ACCEPTED), []],
    [ok('{"code":0,"message":null,"data":{}}'), ['code is the number 0, not the string "0"']],
    [ok('{"code":"0","message":"ok","data":{}}'), ['message is not null']],
    [ok('{"code":"0","data":{}}'), ['message is absent']],
    [accepted('null'), ['data is not an object']],
    [ok(`\uFEFF${ACCEPTED}`), ['the JSON begins with a byte order mark']],
  ];
  const codings: readonly (readonly [header: string, body: string | Buffer, name: string])[] = [
    ['a-new-one-each-time', ACCEPTED, 'unknown'],
    ['GZIP', gzipSync(ACCEPTED), 'gzip'],
    ['x-gzip', gzipSync(ACCEPTED), 'gzip'],
    ['deflate', deflateSync(ACCEPTED), 'deflate'],
    ['br', brotliCompressSync(ACCEPTED), 'br'],
  ];
  for (const [header, body, name] of codings)
    deviating.push([
      ok(body, `Content-Encoding: ${header}`),
      [`the response has a content coding that we didn't ask for (${name})`],
    ]);
  for (const [bytes, deviations] of deviating) {
    it(`reports: ${deviations.join(', ') || 'no deviations'}`, async () => {
      assert.deepEqual((await acceptedResponse(bytes)).deviations, deviations);
    });
  }
});

describe('A response body', () => {
  it("is shown unchanged if it isn't compressed, even if the headers say it is", async () => {
    for (const status of ['200 OK', '422 No', '502 Bad Gateway'])
      assert.equal(excerptOf(readingOf(response(status, 'no gzip', 'Content-Encoding: gzip'))), 'no gzip');
  });

  it('is limited to 1 MiB after decompression', async () => {
    const bomb = ACCEPTED.padEnd(2 * 1024 * 1024);
    for (const [name, bytes] of Object.entries({ deflate: deflateSync(bomb), br: brotliCompressSync(bomb) }))
      assert.equal(readingText(readingOf(ok(bytes, `Content-Encoding: ${name}`))), unconfirmed('tooLarge'));
  });

  it('is decoded with the charset from the Content-Type, or as UTF-8 if that charset is unknown', async () => {
    // 0x5C, a backslash in ASCII, is the second byte of the second character.
    const gbk = Buffer.concat([
      Buffer.from('{"code":"7","message":"'),
      Buffer.from([0xb5, 0xc4, 0x81, 0x5c]),
      Buffer.from('"}'),
    ]);
    assert.equal(
      readingText(readingOf(ok(gbk, 'Content-Type: application/json; charset="GBK"'))),
      'rejected: 200, code 7: 的乗',
    );
    const utf16 = ok(
      Buffer.from('{"code":"7","message":"的"}', 'utf16le'),
      'Content-Type: text/plain; charset=utf-16le; x=y',
    );
    assert.equal(readingText(readingOf(utf16)), 'rejected: 200, code 7: 的');
    const unknown = ok('{"code":"7","message":"的"}', 'Content-Type: application/json; charset=klingon');
    assert.equal(readingText(readingOf(unknown)), 'rejected: 200, code 7: 的');
  });
});

describe('An accepted response', () => {
  it('keeps every digit of its numbers', async () => {
    const text = '{"code":"0","message":null,"data":{"a":9223372036854775807,"b":1.0,"c":1e400,"__proto__":{"d":-0}}}';
    assert.equal(stringifyJson((await acceptedResponse(ok(text))).envelope), text);
  });
});

describe('The excerpt from an error response', () => {
  it("quotes a JSON error's title and detail, its error.message, or its message", () => {
    const errors: readonly (readonly [json: unknown, words: string])[] = [
      [{ title: 'No space left', status: 507, detail: 'Dataset A1 is full.' }, 'No space left: Dataset A1 is full.'],
      [{ title: 'No space left', status: 507 }, 'No space left'],
      [{ error: { code: 'quota_exceeded', message: 'No space is left.' } }, 'No space is left.'],
      [{ message: 'Internal error', data: null }, 'Internal error'],
      [{ data: { message: 'x' } }, '{"data":{"message":"x"}}'],
      [['x'], '["x"]'],
    ];
    for (const [json, words] of errors)
      assert.equal(excerptOf(readingOf(response('502 Bad Gateway', JSON.stringify(json)))), words);
  });

  it('contains only the first words of a long response', async () => {
    assert.equal(excerptOf(readingOf(response('404 Not Found', 'word '.repeat(1000)))), 'word '.repeat(40));
  });
});

describe('A response with status 429', () => {
  const NOW = Date.parse('Fri, 02 Jan 2026 10:00:00 GMT');
  const waits: readonly (readonly [headers: readonly string[], ms: number | undefined])[] = [
    [['Retry-After: 7'], 7000],
    [['Retry-After: 0'], 0],
    [['Retry-After: Fri, 02 Jan 2026 10:01:30 GMT'], 90_000],
    [['Retry-After: Fri, 02 Jan 2026 09:00:00 GMT'], 0],
    [['Retry-After: Fri, 02 Jan 2026 10:01:30 GMT', 'Date: Fri, 02 Jan 2026 11:01:00 GMT'], 0],
    [['Retry-After: Fri, 02 Jan 2026 11:01:30 GMT', 'Date: Fri, 02 Jan 2026 11:01:00 GMT'], 30_000],
    [['Retry-After: Fri, 02 Jan 2026 10:01:30 GMT', 'Date: soon'], 90_000],
    [['Retry-After: Friday, 02-Jan-26 10:01:30 GMT'], 90_000],
    [['Retry-After: Fri Jan  2 10:01:30 2026'], 90_000],
    [['Retry-After: soon'], undefined],
    [['Retry-After: -5'], undefined],
    [['Retry-After: 1.5'], undefined],
    [['Retry-After: 1e3'], undefined],
    [['Retry-After: 5', 'Retry-After: 10'], undefined],
    [['Retry-After: 2027'], 2_027_000],
    [[`Retry-After: ${'9'.repeat(400)}`], Number.POSITIVE_INFINITY],
    [['Retry-After: 2027-01-02T10:01:30Z'], undefined],
    [['Retry-After: Thu, 02 Jan 2026 10:01:30 GMT'], undefined],
    [['Retry-After: Sat, 31 Feb 2026 10:01:30 GMT'], undefined],
    [[], undefined],
  ];
  for (const [headers, ms] of waits) {
    it(`and ${headers.join(', ') || 'no Retry-After'} asks us to wait ${ms === undefined ? 'for an unspecified time' : `${ms} ms`}`, () => {
      assert.equal(retryAfterMs(parsed(response('429 Too Many Requests', '', ...headers)), NOW), ms);
    });
  }
});

describe('A redirect', () => {
  const targets: readonly (readonly [location: string, shown: string])[] = [
    ['https://elsewhere.example/openapi?key=1', 'https://elsewhere.example'],
    ['/v2/query-task', 'https://service.example'],
    ['http://[', 'http://['],
    [`http://[${CANARY}`, `http://[${MASK}`],
    ['', ''],
  ];
  for (const status of [300, 301, 302, 303, 307, 308]) {
    const kind = status < 307 ? 'unconfirmed' : 'rejected';
    it(`with status ${status} causes the import to be reported as ${kind}, along with the redirect's target`, async () => {
      for (const [location, shown] of targets) {
        const reading = readingOf(
          response(`${status} Moved`, '', ...(location === '' ? [] : [`Location: ${location}`])),
        );
        assert.equal(reading.kind, kind);
        const named = reading.kind === 'rejected' ? reading.rejection : reading.kind === 'unconfirmed' && reading.cause;
        assert.ok(named);
        assert.equal('target' in named ? named.target : 'excerpt' in named && named.excerpt, shown);
      }
    });
  }

  it('is not followed', async () => {
    await using elsewhere = await RawServer.start(async () => {});
    for (const status of ['302 Found', '307 Temporary Redirect']) {
      await runAgainst(answering(response(status, '', `Location: ${elsewhere.url}`)));
      assert.equal(elsewhere.peers.length, 0);
    }
  });
});

describe('An access key that a service echoes', () => {
  it("is masked even if the response's data is a string that contains JSON", () => {
    const inner = JSON.stringify({ taskId: `${CANARY}-1`, [CANARY]: 1 });
    const reading = readingOf(accepted(JSON.stringify(inner)));
    assert.ok(reading.kind === 'accepted');
    assert.deepEqual(reading.response.envelope['data'], { taskId: `${MASK}-1`, [MASK]: 1 });
    assert.deepEqual(reading.response.deviations, ['data is not an object']);
  });
});
