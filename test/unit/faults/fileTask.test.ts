import assert from 'node:assert/strict';
import { response, taking } from '../service/responses';
import { until } from '../tasks/until';
import { type Fault, type FaultRow, forEachFault } from './faults';
import { ImportWindow, LARGE, type PartSent, partSent } from './importWindow';
import { afterRequest, atBodyByte, inTurn, resets, says } from './script';

interface Expected {
  /** How the import ends, or why it waits. */
  readonly end: RegExp;
  readonly tries: 1 | 2 | 3;
  /** How much of the body was sent. */
  readonly sent: PartSent;
}

const expected: Readonly<Record<FaultRow, Expected>> = {
  'DNS failure, connection refused, connect time-out': {
    end: /^unreachable: ConnectError (?:dns|refused|timedOut)$/,
    tries: 3,
    sent: 'nothing',
  },
  'TLS or certificate error': {
    end: /^unreachable: ConnectError tls$/,
    tries: 3,
    sent: 'nothing',
  },
  'proxy answers 407 or refuses CONNECT': {
    end: /^unreachable: ConnectError proxyLogin$/,
    tries: 2,
    sent: 'nothing',
  },
  'connection reset before the body is complete': {
    end: /^unconfirmed: ConnectionLostError reset$/,
    tries: 1,
    sent: 'some',
  },
  'connection reset after the body, or headers never come': {
    end: /^unconfirmed: ConnectionLostError (?:reset|silent)$/,
    tries: 1,
    sent: 'all',
  },
  '4xx with an envelope': { end: /^rejected: rejected: 4\d\d, code \S+: no, not with /, tries: 1, sent: 'all' },
  '4xx with an envelope: 401 and 403': {
    end: /^(?:badKey: rejected: 401|rejected: rejected: 403)/,
    tries: 1,
    sent: 'all',
  },
  '4xx without an envelope': { end: /^rejected: rejected: 40\d: (?:.*no, not with .*)?$/, tries: 1, sent: 'all' },
  '429, 503 with Retry-After: 429': { end: /^busy: rejected: 429/, tries: 3, sent: 'all' },
  '429, 503 with Retry-After: 503': { end: /^unconfirmed: BadResponseError serverError$/, tries: 1, sent: 'all' },
  '5xx, envelope or not': { end: /^unconfirmed: BadResponseError serverError$/, tries: 1, sent: 'all' },
  'HTML or other non-JSON with 200': {
    end: /^unconfirmed: BadResponseError not(?:Json|Envelope)$/,
    tries: 1,
    sent: 'all',
  },
  'truncated JSON, or body shorter than its Content-Length': {
    end: /^unconfirmed: (?:BadResponseError notJson|ConnectionLostError (?:truncated|reset))$/,
    tries: 1,
    sent: 'all',
  },
  'answer larger than 1 MiB': { end: /^unconfirmed: BadResponseError tooLarge$/, tries: 1, sent: 'all' },
  '200 with `code` other than "0"': {
    end: /^rejected: rejected: 200, code (?:D-17|17): no, not with /,
    tries: 1,
    sent: 'all',
  },
  '`code` is the number 0, `message` not null, a BOM before the JSON, gzip': {
    end: /^accepted$/,
    tries: 1,
    sent: 'all',
  },
  '`code` "0" but `data` null or not an object': { end: /^accepted$/, tries: 1, sent: 'all' },
  'redirect: 301, 302 and 303': { end: /^unconfirmed: BadResponseError redirect$/, tries: 1, sent: 'all' },
  'redirect: 307 and 308': { end: /^rejected: rejected: 30[78] to /, tries: 1, sent: 'all' },
  'an unsolicited `100 Continue`, 102, 103': { end: /^accepted$/, tries: 1, sent: 'all' },
  'response nested deeper than 200 levels, or a million keys': { end: /^accepted$/, tries: 1, sent: 'all' },
  'response that drips': { end: /^unconfirmed: ConnectionLostError (?:silent|truncated)$/, tries: 1, sent: 'all' },
  '`Retry-After` 0, negative, fractional, absurd, a date without `Date`': {
    end: /^busy: rejected: 429/,
    tries: 3,
    sent: 'all',
  },
};

describe('An upload that meets a fault', () => {
  forEachFault(expected, (fault: Fault, name, { end, tries, sent }) => {
    it(`${name}: is tried ${tries === 1 ? 'once' : `${tries} times`}, and is stored with what happened`, async () => {
      await using window = await ImportWindow.open(fault);
      await window.import({ 'a.txt': sent === 'some' ? LARGE : 'some text\n' });
      assert.match(await window.end(), end);
      assert.equal(window.faulty.ends.length, tries);
      const row = await window.row();
      if (row.state === 'unconfirmed') assert.equal(partSent(row.import), sent);
      assert.equal(row.tasks.length, 0);
      assert.equal(window.posts, fault.arrives === false ? 0 : tries);
    });
  });

  it('is sent once, as soon as a service listens that refused the connection', async () => {
    await using window = await ImportWindow.open({ script: taking, gone: true });
    await window.queue({ 'a.txt': 'some text\n' });
    await until(() => window.pauseMs > 0);
    await window.faulty.server.listenAgain();
    await window.toEnd();
    assert.deepEqual([await window.end(), window.posts], ['accepted', 1]);
  });

  it('is not sent again if the connection is lost after one was refused', async () => {
    await using window = await ImportWindow.open({ script: atBodyByte(1, resets), gone: true });
    await window.queue({ 'a.txt': 'some text\n' });
    await until(() => window.pauseMs > 0);
    await window.faulty.server.listenAgain();
    await window.toEnd();
    assert.deepEqual([await window.end(), window.posts], ['unconfirmed: ConnectionLostError reset', 1]);
  });

  it('is stored with the number of bytes sent if the connection is reset', async () => {
    await using window = await ImportWindow.open({ script: atBodyByte(3 * 1024 * 1024, resets) });
    await window.import({ 'large.txt': LARGE });
    const { sentBytes } = (await window.row()).import;
    assert.ok(sentBytes >= 3 * 1024 * 1024 && sentBytes < LARGE.length, `${sentBytes} bytes`);
  });

  it('waits exactly as long as a 429 asks, and so do the others, and each file is accepted once', async () => {
    const busy = afterRequest(says(response('429 Too Many Requests', '', 'Retry-After: 30')));
    await using window = await ImportWindow.open({ script: inTurn(busy, taking) });
    await window.queue({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
    await until(() => window.pauseMs > 0);
    assert.deepEqual([window.pauseMs, window.posts], [30_000, 1]);
    await window.toEnd();
    const posts = ['a.txt', 'b.txt', 'c.txt'].map((name) => window.postsOf(name));
    assert.deepEqual(
      [(await window.rows()).map(({ state }) => state), posts.toSorted()],
      [Array(3).fill('waiting'), [1, 1, 2]],
    );
  });

  it('is unconfirmed after a 503, whose wait the other files keep', async () => {
    const busy = afterRequest(says(response('503 Service Unavailable', '', 'Retry-After: 30')));
    await using window = await ImportWindow.open({ script: inTurn(busy, taking) });
    await window.queue({ 'a.txt': 'a', 'b.txt': 'b' });
    await until(() => window.pauseMs > 0);
    assert.equal(window.pauseMs, 30_000);
    await window.toEnd();
    assert.deepEqual([window.postsOf('a.txt'), window.postsOf('b.txt')], [1, 1]);
    assert.equal((await window.rows()).filter(({ state }) => state === 'unconfirmed').length, 1);
  });

  describe('while it is being sent', () => {
    /** The service responds once it has read the first KiB, and reads the rest too. */
    const early = (bytes: Buffer) => atBodyByte(1024, says(bytes));

    for (const [name, answer, end] of [
      ['pauses for the key after an early 401', response('401 Unauthorized', 'no'), 'badKey: rejected: 401: no'],
      [
        'is rejected by an early 413',
        response('413 Content Too Large', 'at most 1 MiB'),
        'rejected: rejected: 413: at most 1 MiB',
      ],
      [
        'is unconfirmed after an early 302',
        response('302 Found', '', 'Location: https://elsewhere.invalid/'),
        'unconfirmed: BadResponseError redirect',
      ],
    ] as const)
      it(name, async () => {
        await using window = await ImportWindow.open({ script: early(answer) });
        await window.import({ 'large.txt': LARGE });
        assert.deepEqual([await window.end(), window.posts], [end, 1]);
      });
  });
});
