import assert from 'node:assert/strict';
import { acceptsAll, response } from '../service/responses';
import { until } from '../tasks/until';
import { FAULTS, type Fault, type FaultName } from './faults';
import { ImportWindow, LARGE } from './importWindow';
import { afterRequest, atBodyByte, inTurn, resets, sends } from './script';

interface Expected {
  readonly title: string;
  /** How the import ended, or why it is still queued. */
  readonly end: RegExp;
  /** Defaults to 1. */
  readonly tries?: 2 | 3;
  /** Whether the file is larger than the socket buffers. */
  readonly isLarge?: true;
}

const EXPECTED: Readonly<Record<FaultName, Expected>> = {
  refusedConnection: {
    title: 'stays queued and is retried if the service refuses connections',
    end: /^unreachable: ConnectError refused$/,
    tries: 3,
  },
  untrustedCertificate: {
    title: "stays queued and is retried if the service's certificate is not trusted",
    end: /^unreachable: ConnectError tls$/,
    tries: 3,
  },
  certificateOfAnotherHost: {
    title: 'stays queued and is retried if the certificate is for another host',
    end: /^unreachable: ConnectError tls$/,
    tries: 3,
  },
  proxyLogin: {
    title: 'stays queued after a proxy responds with 407 twice, until the user clicks Try Now',
    end: /^unreachable: ConnectError proxyLogin$/,
    tries: 2,
  },
  resetInBody: {
    title: 'is unconfirmed if the connection is reset before the whole file has been sent',
    end: /^unconfirmed: ConnectionLostError reset, some sent$/,
    isLarge: true,
  },
  resetAfterBody: {
    title: 'is unconfirmed if the connection is reset after the whole file has been sent',
    end: /^unconfirmed: ConnectionLostError reset, all sent$/,
  },
  silence: {
    title: 'is unconfirmed if there is no response',
    end: /^unconfirmed: ConnectionLostError silent, all sent$/,
  },
  rejection: {
    title: 'is rejected after a 400 with an envelope',
    end: /^rejected: rejected: 400, code A-1: no, not with /,
  },
  plainRejection: {
    title: 'is rejected after a 404 with HTML',
    end: /^rejected: rejected: 404: .*no, not with /,
  },
  earlyRejection: {
    title: 'is rejected if a 413 arrives while the file is still being sent',
    end: /^rejected: rejected: 413: at most 1 MiB$/,
    isLarge: true,
  },
  badKey: {
    title: 'stays queued after a 401 until the key is replaced',
    end: /^badKey: rejected: 401, code K-1/,
  },
  forbidden: {
    title: 'is rejected after a 403 if there is no other file to try',
    end: /^rejected: rejected: 403/,
  },
  busy: { title: 'stays queued and is retried after a 429', end: /^busy: rejected: 429/, tries: 3 },
  busyForAges: {
    title: 'stays queued and is retried after a 429 with an absurd Retry-After',
    end: /^busy: rejected: 429/,
    tries: 3,
  },
  unavailable: {
    title: 'is unconfirmed after a 503, even one with a Retry-After',
    end: /^unconfirmed: BadResponseError serverError, all sent$/,
  },
  serverError: {
    title: 'is unconfirmed after a 500, even if its envelope says success',
    end: /^unconfirmed: BadResponseError serverError, all sent$/,
  },
  html: {
    title: 'is unconfirmed after a 200 with HTML',
    end: /^unconfirmed: BadResponseError notJson, all sent$/,
  },
  cutResponse: {
    title: 'is unconfirmed if the response is shorter than its Content-Length',
    end: /^unconfirmed: ConnectionLostError (?:truncated|reset), all sent$/,
  },
  hugeResponse: {
    title: 'is unconfirmed if the response is longer than 1 MiB',
    end: /^unconfirmed: BadResponseError tooLarge, all sent$/,
  },
  notHttp: {
    title: 'is unconfirmed if the response is not valid HTTP',
    end: /^unconfirmed: BadResponseError notHttp, all sent$/,
  },
  otherCode: {
    title: 'is rejected if a 200 response has a code other than "0"',
    end: /^rejected: rejected: 200, code D-17: no, not with /,
  },
  numericCode: { title: 'is accepted if the code is the number 0', end: /^accepted$/ },
  noData: { title: 'is accepted without a task ID if the data is null', end: /^accepted$/ },
  seeOther: {
    title: 'is unconfirmed after a 303, even if its envelope says success',
    end: /^unconfirmed: BadResponseError redirect, all sent$/,
  },
  redirect: {
    title: 'is rejected after a 307, because redirects are not followed',
    end: /^rejected: rejected: 307 to /,
  },
  unaskedContinue: { title: 'is accepted after an unsolicited 100 Continue', end: /^accepted$/ },
  deepResponse: { title: 'is accepted even if the response is nested 6,000 levels deep', end: /^accepted$/ },
  tricklingResponse: {
    title: 'is unconfirmed if the response is still trickling in at its deadline',
    end: /^unconfirmed: ConnectionLostError truncated, all sent$/,
  },
};

describe('An upload', () => {
  for (const [name, { title, end, tries = 1, isLarge }] of Object.entries(EXPECTED))
    it(title, async () => {
      const fault: Fault = FAULTS[name as FaultName];
      await using window = await ImportWindow.open(fault);
      await window.import({ 'a.txt': isLarge ? LARGE : 'some text\n' });
      const { state, import: last, tasks } = await window.row();
      const part = last.sentBytes === 0 ? 'nothing' : last.sentBytes < last.sizeBytes ? 'some' : 'all';
      const sent = state === 'unconfirmed' ? `, ${part} sent` : '';
      assert.match(`${await window.end()}${sent}`, end);
      const posts = fault.arrives === false ? 0 : tries;
      assert.deepEqual([window.faulty.ends.length, window.posts, tasks], [tries, posts, []]);
    });

  for (const [end, script] of [
    ['accepted', acceptsAll],
    ['unconfirmed: ConnectionLostError reset', atBodyByte(1, resets)],
  ] as const)
    it(`is sent only once after an outage${end === 'accepted' ? '' : ', even if the connection is then lost'}`, async () => {
      await using window = await ImportWindow.open({ script, isDown: true });
      await window.queue({ 'a.txt': 'some text\n' });
      await until(() => window.pauseMs > 0);
      await window.faulty.server.listenAgain();
      await window.toEnd();
      assert.deepEqual([await window.end(), window.posts], [end, 1]);
    });

  it('records how many bytes were sent before the connection was reset', async () => {
    await using window = await ImportWindow.open({ script: atBodyByte(3 * 1024 * 1024, resets) });
    await window.import({ 'large.txt': LARGE });
    const { sentBytes } = (await window.row()).import;
    assert.ok(sentBytes >= 3 * 1024 * 1024 && sentBytes < LARGE.length, `${sentBytes} bytes`);
  });

  for (const [status, posts] of [
    ['429 Too Many Requests', 2],
    ['503 Service Unavailable', 1],
  ] as const)
    it(`is ${posts === 1 ? 'unconfirmed and not sent again' : 'sent again'} after a ${status}, and all other uploads wait until the Retry-After delay has passed`, async () => {
      const busy = afterRequest(sends(response(status, '', 'Retry-After: 30')));
      await using window = await ImportWindow.open({ script: inTurn(busy, acceptsAll) });
      await window.queue({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' });
      await until(() => window.pauseMs > 0);
      assert.deepEqual([window.pauseMs, window.posts], [30_000, 1]);
      await window.toEnd();
      assert.deepEqual(
        ['a.txt', 'b.txt', 'c.txt'].map((name) => window.postsOf(name)),
        [posts, 1, 1],
      );
    });
});
