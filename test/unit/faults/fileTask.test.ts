import assert from 'node:assert/strict';
import { acceptsAll, response } from '../service/responses';
import { until } from '../tasks/until';
import { FAULTS, type Fault, type FaultName } from './faults';
import { ImportWindow, LARGE } from './importWindow';
import { afterRequest, atBodyByte, inTurn, resets, sends } from './script';

/** How the import ends, or why it is still queued, and how often it is tried if it is tried more than once. */
const EXPECTED: Readonly<Record<FaultName, readonly [end: RegExp, tries?: 2 | 3]>> = {
  refusedConnection: [/^unreachable: ConnectError refused$/, 3],
  untrustedCertificate: [/^unreachable: ConnectError tls$/, 3],
  certificateOfAnotherHost: [/^unreachable: ConnectError tls$/, 3],
  proxyLogin: [/^unreachable: ConnectError proxyLogin$/, 2],
  resetInBody: [/^unconfirmed: ConnectionLostError reset, some sent$/],
  resetAfterBody: [/^unconfirmed: ConnectionLostError reset, all sent$/],
  silence: [/^unconfirmed: ConnectionLostError silent, all sent$/],
  rejection: [/^rejected: rejected: 400, code A-1: no, not with /],
  plainRejection: [/^rejected: rejected: 404: .*no, not with /],
  earlyRejection: [/^rejected: rejected: 413: at most 1 MiB$/],
  badKey: [/^badKey: rejected: 401, code K-1/],
  forbidden: [/^rejected: rejected: 403/],
  busy: [/^busy: rejected: 429/, 3],
  unavailable: [/^unconfirmed: BadResponseError serverError, all sent$/],
  serverError: [/^unconfirmed: BadResponseError serverError, all sent$/],
  html: [/^unconfirmed: BadResponseError notJson, all sent$/],
  cutResponse: [/^unconfirmed: ConnectionLostError (?:truncated|reset), all sent$/],
  hugeResponse: [/^unconfirmed: BadResponseError tooLarge, all sent$/],
  notHttp: [/^unconfirmed: BadResponseError notHttp, all sent$/],
  otherCode: [/^rejected: rejected: 200, code D-17: no, not with /],
  noData: [/^accepted$/],
  seeOther: [/^unconfirmed: BadResponseError redirect, all sent$/],
  redirect: [/^rejected: rejected: 307 to /],
  tricklingResponse: [/^unconfirmed: ConnectionLostError truncated, all sent$/],
};

describe('An upload', () => {
  for (const [name, [end, tries = 1]] of Object.entries(EXPECTED)) {
    const fault: Fault = FAULTS[name as FaultName];
    const [, ended] = /^\^(unconfirmed|rejected|accepted)/.exec(end.source) ?? [];
    it(`${ended === undefined ? 'stays queued' : `is ${ended}`} ${fault.when}`, async () => {
      await using window = await ImportWindow.open(fault);
      await window.import({ 'a.txt': fault.isLarge ? LARGE : 'some text\n' });
      const { state, import: last, tasks } = await window.row();
      const part = last.sentBytes === 0 ? 'nothing' : last.sentBytes < last.sizeBytes ? 'some' : 'all';
      const sent = state === 'unconfirmed' ? `, ${part} sent` : '';
      assert.match(`${await window.end()}${sent}`, end);
      const posts = fault.arrives === false ? 0 : tries;
      assert.deepEqual([window.faulty.ends.length, window.posts, tasks], [tries, posts, []]);
    });
  }

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
      const counts = ['a.txt', 'b.txt', 'c.txt'].map((name) => window.postsOf(name));
      assert.deepEqual(counts, [posts, 1, 1]);
    });
});
