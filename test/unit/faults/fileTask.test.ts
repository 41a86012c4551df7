import assert from 'node:assert/strict';
import { typedTaskId } from '../../../src/service/json/taskId';
import { response, TAKEN, taking } from '../service/responses';
import { until } from '../tasks/until';
import { LARGE, type PartLeft, partLeft, postsOf, theEnded, toldEnd, toldEndOf, toldPhase } from './endedImport';
import { type Fault, type FaultRow, forEachFault } from './faults';
import { ImportWindow } from './importWindow';
import { afterRequest, afterSlowReading, atBodyByte, inTurn, resets, says } from './script';

interface Expected {
  /** How each try ends, and so the import, or the reason of its pause. */
  readonly end: RegExp;
  readonly tries: 1 | 2 | 3;
  /** How much of the body was sent. */
  readonly left: PartLeft;
}

const expected: Readonly<Record<FaultRow, Expected>> = {
  'DNS failure, connection refused, connect time-out': {
    end: /^unreachable: notSent: ConnectError (?:dns|refused|timedOut)$/,
    tries: 3,
    left: 'nothing',
  },
  'TLS or certificate error': {
    end: /^unreachable: notSent: ConnectError tls$/,
    tries: 3,
    left: 'nothing',
  },
  'proxy answers 407 or refuses CONNECT': {
    end: /^unreachable: notSent: ConnectError proxyLogin$/,
    tries: 2,
    left: 'nothing',
  },
  'connection reset before the body is complete': {
    end: /^unconfirmed: ConnectionLostError reset$/,
    tries: 1,
    left: 'some',
  },
  'connection reset after the body, or headers never come': {
    end: /^unconfirmed: ConnectionLostError (?:reset|silent)$/,
    tries: 1,
    left: 'all',
  },
  '4xx with an envelope': { end: /^rejected: 4\d\d, code \S+: no, not with /, tries: 1, left: 'all' },
  '4xx with an envelope: 401 and 403': { end: /^(?:badKey: rejected: 401|rejected: 403)/, tries: 1, left: 'all' },
  '4xx without an envelope': { end: /^rejected: 40\d: (?:.*no, not with .*)?$/, tries: 1, left: 'all' },
  '429, 503 with Retry-After: 429': { end: /^busy: rejected: 429/, tries: 3, left: 'all' },
  '429, 503 with Retry-After: 503': { end: /^unconfirmed: BadResponseError serverError$/, tries: 1, left: 'all' },
  '5xx, envelope or not': { end: /^unconfirmed: BadResponseError serverError$/, tries: 1, left: 'all' },
  'HTML or other non-JSON with 200': {
    end: /^unconfirmed: BadResponseError not(?:Json|Envelope)$/,
    tries: 1,
    left: 'all',
  },
  'truncated JSON, or body shorter than its Content-Length': {
    end: /^unconfirmed: (?:BadResponseError notJson|ConnectionLostError (?:truncated|reset))$/,
    tries: 1,
    left: 'all',
  },
  'answer larger than 1 MiB': { end: /^unconfirmed: BadResponseError tooLarge$/, tries: 1, left: 'all' },
  '200 with `code` other than "0"': { end: /^rejected: 200, code (?:D-17|17): no, not with /, tries: 1, left: 'all' },
  '`code` is the number 0, `message` not null, a BOM before the JSON, gzip': {
    end: /^accepted$/,
    tries: 1,
    left: 'all',
  },
  '`code` "0" but `data` null or not an object': { end: /^accepted$/, tries: 1, left: 'all' },
  'redirect: 301, 302 and 303': { end: /^unconfirmed: BadResponseError redirect$/, tries: 1, left: 'all' },
  'redirect: 307 and 308': { end: /^rejected: 30[78] to /, tries: 1, left: 'all' },
  'an unsolicited `100 Continue`, 102, 103': { end: /^accepted$/, tries: 1, left: 'all' },
  'response nested deeper than 200 levels, or a million keys': { end: /^accepted$/, tries: 1, left: 'all' },
  'response that drips': { end: /^unconfirmed: ConnectionLostError (?:silent|truncated)$/, tries: 1, left: 'all' },
  '`Retry-After` 0, negative, fractional, absurd, a date without `Date`': {
    end: /^busy: rejected: 429/,
    tries: 3,
    left: 'all',
  },
};

describe('An upload that meets a fault', () => {
  forEachFault(expected, (fault: Fault, name, { end, tries, left }) => {
    it(`${name}: is tried ${tries === 1 ? 'once' : `${tries} times`}, and is stored with what happened`, async () => {
      await using window = await ImportWindow.open(fault);
      await window.import(await window.check('a.txt', left === 'some' ? LARGE : undefined));
      const { attempts, phase, taskId } = theEnded(window);
      assert.match(toldEndOf(window), end);
      const isKept = phase.kind !== 'queued' || left !== 'nothing';
      assert.deepEqual([attempts.length, window.faulty.ends.length], [isKept ? tries : 0, tries]);
      for (const attempt of attempts) {
        assert.ok(end.test(toldEnd(attempt.end)) || toldEndOf(window).endsWith(toldEnd(attempt.end)));
        assert.equal(partLeft(attempt), left);
      }
      if (phase.kind === 'unconfirmed') assert.equal(partLeft(phase), left);
      assert.equal(taskId, undefined);
      assert.equal(window.posts, fault.arrives === false ? 0 : tries);
    });
  });

  describe('connection refused', () => {
    it('is sent once, as soon as the service listens', async () => {
      await using window = await ImportWindow.open({ script: taking, gone: true });
      const run = await window.add();
      await until(() => window.pauseMs > 0);
      await window.faulty.server.listenAgain();
      await window.toEnd(run);
      const { attempts, taskId } = theEnded(window);
      assert.deepEqual(
        attempts.map(({ end }) => toldEnd(end)),
        ['accepted'],
      );
      assert.deepEqual([window.posts, taskId], [1, typedTaskId('T1', 'string')]);
    });

    it('is not sent again if the next connection is lost during the upload', async () => {
      await using window = await ImportWindow.open({ script: atBodyByte(1, resets), gone: true });
      const run = await window.add();
      await until(() => window.pauseMs > 0);
      await window.faulty.server.listenAgain();
      await window.toEnd(run);
      assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['unconfirmed: ConnectionLostError reset', 1]);
    });
  });

  it('names the cause of a TLS error', async () => {
    await using window = await ImportWindow.open({
      script: async (peer) => {
        if (await peer.readBytes(1)) peer.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      },
      baseUrl: ({ port }) => new URL(`https://127.0.0.1:${port}`),
    });
    await window.import();
    assert.equal(theEnded(window).phase.kind, 'queued');
    const { reason } = window.queue.progress?.pause ?? {};
    const end = reason?.kind === 'unreachable' ? reason.end : undefined;
    assert.match(end?.kind === 'notSent' ? end.failure.detail : '', /wrong version number|packet length too long/);
  });

  it('records how many bytes were sent if the connection is reset during the upload', async () => {
    await using window = await ImportWindow.open({ script: atBodyByte(3 * 1024 * 1024, resets) });
    await window.import(await window.check('large.txt', LARGE));
    const { phase, source } = theEnded(window);
    assert.ok(phase.kind === 'unconfirmed');
    assert.ok(phase.sentBytes >= 3 * 1024 * 1024 && phase.sentBytes < LARGE.length, `${phase.sentBytes} bytes`);
    assert.ok(phase.totalBytes > LARGE.length && phase.totalBytes < LARGE.length + 1024, `${phase.totalBytes} bytes`);
    assert.deepEqual([source?.sha256, window.posts], [undefined, 1]);
  });

  describe('429, 503 with Retry-After', () => {
    const busy = (line: string) => afterRequest(says(response(line, '', 'Retry-After: 30')));

    it('429: the batch waits exactly that long, and each file is accepted once', async () => {
      await using window = await ImportWindow.open({
        script: inTurn(busy('429 Too Many Requests'), taking),
      });
      const names = ['a.txt', 'b.txt', 'c.txt'];
      const run = await window.add(...(await Promise.all(names.map((name) => window.check(name)))));
      await until(() => window.pauseMs > 0 && window.stored.every(({ phase }) => phase.kind === 'queued'));
      window.clock.advance(29_999);
      assert.equal(window.pauseMs, 1);
      await window.list.sync();
      assert.deepEqual([window.posts, window.faulty.server.peers.length], [1, 1]);
      await window.toEnd(run);
      const { stored } = window;
      assert.deepEqual(stored.map(toldPhase), ['accepted', 'accepted', 'accepted']);
      assert.deepEqual(
        names.map((name) => postsOf(window, name)),
        [2, 1, 1],
      );
      const [first = 0, ...others] = stored.flatMap(({ attempts }) => attempts.map(({ beganMs }) => beganMs));
      assert.deepEqual(
        others.map((beganMs) => beganMs - first),
        [30_000, 30_000, 30_000],
      );
    });

    it('503: the file that got it is unconfirmed and not sent again; the others are sent after the wait', async () => {
      await using window = await ImportWindow.open({
        script: inTurn(busy('503 Service Unavailable'), taking),
      });
      const run = await window.add(await window.check('a.txt'), await window.check('b.txt'));
      await until(() => window.pauseMs > 0 && window.stored[0]?.phase.kind === 'unconfirmed');
      window.clock.advance(29_999);
      await window.list.sync();
      assert.equal(window.faulty.server.peers.length, 1);
      await window.toEnd(run);
      const [a, b] = window.stored;
      assert.deepEqual(
        [a, b].map((task) => task && toldPhase(task)),
        ['unconfirmed: BadResponseError serverError', 'accepted'],
      );
      assert.deepEqual([postsOf(window, 'a.txt'), postsOf(window, 'b.txt')], [1, 1]);
      assert.equal((b?.attempts[0]?.beganMs ?? 0) - (a?.attempts[0]?.endedMs ?? 0), 30_000);
    });
  });

  it('is accepted by a service that reads slowly', async () => {
    await using window = await ImportWindow.open({ script: afterSlowReading(says(response('200 OK', TAKEN))) });
    await window.import(await window.check('large.txt', LARGE.subarray(0, 1024 * 1024)));
    assert.deepEqual([toldPhase(theEnded(window)), window.posts], ['accepted', 1]);
  });
});
