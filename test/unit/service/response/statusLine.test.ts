import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { afterRequest, atBodyByte, ends, sends, sendsWithoutEnd, trickles } from '../../faults/script';
import { assertKeyIsMasked } from '../assertKeyIsMasked';
import { outcomeText } from '../operations';
import { RawServer, type Script } from '../rawServer';
import { answering, response } from '../responses';
import { TemporaryFiles } from '../temporaryFiles';
import { CANARY, SETTINGS, target, unwatched, wire } from '../wire';

const NO_CODES = { badKey: [], tryLater: [] };

/** Uploads a file to a server with this script, and returns the outcome. */
async function outcomeOf(script: Script, codes: typeof DECLARED = NO_CODES, timeOuts = SETTINGS.timeOuts) {
  await using server = await RawServer.start(script);
  await using files = await TemporaryFiles.make();
  const file = await files.write('a.txt');
  const outcome = await wire({ timeOuts }).fileTask(target(server.url, { codes }), file, unwatched());
  assertKeyIsMasked(outcome);
  assert.equal(server.posts, 1);
  return outcome;
}

/** Responses with a given status and an unusable body. */
const BODIES: Readonly<Record<string, (status: string) => Script>> = {
  HTML: (status) => answering(response(status, `<h1>No</h1> ${CANARY}`, 'Content-Type: text/html')),
  'an empty body': (status) => answering(response(status, '')),
  'a truncated body': (status) =>
    afterRequest(sends(`HTTP/1.1 ${status}\r\nContent-Length: 100\r\n\r\n${CANARY}`, ends)),
  'truncated chunks': (status) =>
    afterRequest(sends(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\n40\r\n${CANARY}`, ends)),
  'invalid chunks': (status) =>
    afterRequest(sends(`HTTP/1.1 ${status}\r\nTransfer-Encoding: chunked\r\n\r\nchunk\r\n${CANARY}`)),
  'a body that trickles in': (status) =>
    afterRequest(trickles(`HTTP/1.1 ${status}\r\nContent-Length: 100000\r\n\r\n`, ' ')),
  'a body over 1 MiB': (status) => answering(response(status, `${CANARY}${' '.repeat(1_048_577)}`)),
  'an endless body': (status) => afterRequest(sendsWithoutEnd(`HTTP/1.1 ${status}`)),
  'a body that is not the gzip it claims to be': (status) =>
    answering(response(status, 'plain', 'Content-Encoding: gzip')),
};

/** What each status means if the body is unusable. */
const MEANINGS: Readonly<Record<string, { readonly badKey: boolean; readonly tryLater: boolean }>> = {
  '401 Unauthorized': { badKey: true, tryLater: false },
  '404 Not Found': { badKey: false, tryLater: false },
  '408 Request Timeout': { badKey: false, tryLater: true },
  '413 Content Too Large': { badKey: false, tryLater: false },
  '425 Too Early': { badKey: false, tryLater: true },
  '429 Too Many Requests': { badKey: false, tryLater: true },
};

describe('An upload response', () => {
  const cutBodies = Object.keys(MEANINGS).map((status) => [status, 'a truncated body']);
  const bodiesOf404 = Object.keys(BODIES).map((what) => ['404 Not Found', what]);
  for (const [status = '', what = ''] of [
    ...bodiesOf404,
    ...cutBodies.filter(([status]) => status !== '404 Not Found'),
  ]) {
    it(`with status ${status} and ${what} rejects the upload`, async () => {
      const script = BODIES[what]?.(status) ?? assert.fail();
      const timeOuts = { ...SETTINGS.timeOuts, ...(what.includes('trickles') && { responseMs: 300 }) };
      const outcome = await outcomeOf(script, NO_CODES, timeOuts);
      assert.ok(outcome.kind === 'rejected', outcomeText(outcome));
      const { badKey, tryLater, rejection } = outcome;
      assert.deepEqual({ badKey, tryLater }, MEANINGS[status]);
      assert.deepEqual([rejection.by, rejection.status], ['status', Number(status.slice(0, 3))]);
    });
  }

  for (const [status, end] of [
    ['429 Too Many Requests', /^rejected: 429/],
    ['503 Service Unavailable', /^unconfirmed: BadResponseError serverError/],
  ] as const) {
    it(`with status ${status} and a truncated body still tells us how long to wait`, async () => {
      const head = `HTTP/1.1 ${status}\r\nRetry-After: 7\r\nContent-Length: 100\r\n\r\n`;
      const outcome = await outcomeOf(afterRequest(sends(head, ends)));
      assert.match(outcomeText(outcome), end);
      assert.equal('retryAfterMs' in outcome && outcome.retryAfterMs, 7000);
    });
  }

  it('with status 413 and a truncated body is shown without its last word, which could be part of an access key', async () => {
    const head = 'HTTP/1.1 413 Content Too Large\r\nContent-Length: 100\r\n\r\n';
    const cut = `${head}At most 1 MiB with the key ${CANARY.slice(0, -1)}`;
    const expected = 'rejected: 413: At most 1 MiB with the key';
    assert.equal(outcomeText(await outcomeOf(afterRequest(sends(cut, ends)))), expected);
  });

  it('with a truncated body counts as a rejection if the status is 308, but not if it is 302', async () => {
    const moved = (status: string) =>
      afterRequest(sends(`HTTP/1.1 ${status}\r\nLocation: https://b.example/\r\nContent-Length: 9\r\n\r\n`, ends));
    assert.equal(outcomeText(await outcomeOf(moved('308 Moved'))), 'rejected: 308 to https://b.example');
    assert.match(outcomeText(await outcomeOf(moved('302 Found'))), /^unconfirmed: BadResponseError redirect/);
  });
});

const DECLARED: { readonly badKey: string[]; readonly tryLater: string[] } = {
  badKey: ['KEY'],
  tryLater: ['BUSY', '7'],
};
const envelope = (status: string, code: string, ...headers: string[]) =>
  answering(response(status, `{"code":${code},"message":"no","data":null}`, ...headers));

describe('A response that arrives during a slow upload', () => {
  for (const status of ['408 Request Timeout', '425 Too Early', '429 Too Many Requests']) {
    for (const [how, then] of Object.entries({ 'is closed': ends, 'stays open': undefined })) {
      it(`asks us to try again later if its status is ${status} and the connection ${how}`, async () => {
        await using files = await TemporaryFiles.make();
        const long = await files.write('long.txt', 'x'.repeat(4_000_000));
        const script = atBodyByte(100_000, sends(response(status, 'too slow', 'Connection: close'), then));
        await using server = await RawServer.start(script);
        const outcome = await wire().fileTask(target(server.url), long, unwatched());
        assert.ok(outcome.kind === 'rejected', outcomeText(outcome));
        assert.deepEqual(
          [outcome.tryLater, outcome.badKey, outcome.rejection.status],
          [true, false, Number.parseInt(status, 10)],
        );
        assert.equal(server.posts, 1);
      });
    }
  }
});

describe('A response code declared in the contract', () => {
  for (const status of ['200 OK', '302 Found', '401 Unauthorized', '429 Too Many Requests', '503 Unavailable']) {
    it(`has its declared meaning if the status is ${status}`, async () => {
      for (const [code, badKey] of [
        ['"BUSY"', false],
        ['7', false],
        ['"KEY"', true],
      ] as const) {
        const outcome = await outcomeOf(envelope(status, code), DECLARED);
        assert.ok(outcome.kind === 'rejected', outcomeText(outcome));
        assert.deepEqual([outcome.badKey, outcome.tryLater], [badKey, !badKey]);
      }
    });
  }

  it('is recognized in a compressed 502 response and in a 503 response encoded as UTF-16', async () => {
    const busy = '{"code":"BUSY","message":"\u7684","data":null}';
    const compressed = response('502 Bad Gateway', gzipSync(busy), 'Content-Encoding: gzip');
    const utf16 = Buffer.from(busy, 'utf16le');
    const encoded = response('503 Service Unavailable', utf16, 'Content-Type: application/json; charset=utf-16le');
    for (const bytes of [compressed, encoded]) {
      const outcome = await outcomeOf(answering(bytes), DECLARED);
      assert.ok(outcome.kind === 'rejected' && outcome.tryLater, outcomeText(outcome));
    }
  });

  it("isn't recognized in a 503 response that is truncated after the code", async () => {
    const head = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 100\r\n\r\n{"code":"BUSY","message":';
    const outcome = await outcomeOf(afterRequest(sends(head, ends)), DECLARED);
    assert.match(outcomeText(outcome), /^unconfirmed: BadResponseError serverError/);
  });

  it("doesn't change the meaning of a 5xx response with a different code", async () => {
    const unknown = await outcomeOf(envelope('503 Service Unavailable', '"OTHER"', 'Retry-After: 9'), DECLARED);
    assert.match(outcomeText(unknown), /^unconfirmed: BadResponseError serverError/);
    assert.equal(unknown.kind === 'unconfirmed' && unknown.retryAfterMs, 9000);
  });
});
