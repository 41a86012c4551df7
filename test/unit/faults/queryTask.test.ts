import assert from 'node:assert/strict';
import { typedTaskId } from '../../../src/service/json/taskId';
import { Following } from '../../../src/tasks/following/following';
import { Gates } from '../../../src/tasks/sending/gate';
import { outcomeText } from '../service/operations';
import { FAULTS, type Fault, type FaultName } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';

interface Expected {
  readonly title: string;
  readonly outcome: RegExp;
  readonly tries: 1 | 3;
}

const EXPECTED: Readonly<Record<Exclude<FaultName, 'earlyRejection'>, Expected>> = {
  refusedConnection: {
    title: 'is tried three times if the service refuses connections',
    outcome: /^not uploaded: ConnectError refused$/,
    tries: 3,
  },
  untrustedCertificate: {
    title: 'is not repeated if nobody vouches for the certificate of the service',
    outcome: /^not uploaded: ConnectError tls$/,
    tries: 1,
  },
  certificateOfAnotherHost: {
    title: 'is not repeated if the certificate is for another host',
    outcome: /^not uploaded: ConnectError tls$/,
    tries: 1,
  },
  proxyLogin: {
    title: 'is not repeated after a proxy has answered 407',
    outcome: /^not uploaded: ConnectError proxyLogin$/,
    tries: 1,
  },
  resetInBody: {
    title: 'is tried three times if the connection is reset before the whole request was sent',
    outcome: /^unconfirmed: ConnectionLostError reset/,
    tries: 3,
  },
  resetAfterBody: {
    title: 'is tried three times if the connection is reset after the request was sent',
    outcome: /^unconfirmed: ConnectionLostError reset/,
    tries: 3,
  },
  silence: {
    title: 'is tried three times if no response comes',
    outcome: /^unconfirmed: ConnectionLostError silent/,
    tries: 3,
  },
  rejection: {
    title: 'shows a 400 with an envelope',
    outcome: /^rejected: 400, code A-1: no, not with /,
    tries: 1,
  },
  plainRejection: { title: 'shows a 404 with HTML', outcome: /^rejected: 404: .*no, not with /, tries: 1 },
  badKey: { title: 'shows a 401', outcome: /^rejected: 401, code K-1/, tries: 1 },
  forbidden: { title: 'shows a 403', outcome: /^rejected: 403/, tries: 1 },
  busy: { title: 'is not repeated at once after a 429', outcome: /^rejected: 429/, tries: 1 },
  busyForAges: {
    title: 'is not repeated at once after a 429 with an absurd Retry-After',
    outcome: /^rejected: 429/,
    tries: 1,
  },
  unavailable: {
    title: 'is not repeated at once after a 503 with a Retry-After',
    outcome: /^unconfirmed: BadResponseError serverError/,
    tries: 1,
  },
  serverError: {
    title: 'is tried three times after a 500',
    outcome: /^unconfirmed: BadResponseError serverError/,
    tries: 3,
  },
  html: {
    title: 'is tried three times after a 200 with HTML',
    outcome: /^unconfirmed: BadResponseError notJson/,
    tries: 3,
  },
  cutResponse: {
    title: 'is tried three times if the response is shorter than its Content-Length',
    outcome: /^unconfirmed: ConnectionLostError (?:truncated|reset)/,
    tries: 3,
  },
  hugeResponse: {
    title: 'fails if the response is longer than 1 MiB',
    outcome: /^unconfirmed: BadResponseError tooLarge/,
    tries: 1,
  },
  notHttp: {
    title: 'is tried three times if the response is not valid HTTP',
    outcome: /^unconfirmed: BadResponseError notHttp/,
    tries: 3,
  },
  otherCode: {
    title: 'shows a 200 with another code than "0"',
    outcome: /^rejected: 200, code D-17: no, not with /,
    tries: 1,
  },
  numericCode: { title: 'gets its report if the code is the number 0', outcome: /^accepted$/, tries: 1 },
  noData: { title: 'gets an empty report if the data is null', outcome: /^accepted$/, tries: 1 },
  seeOther: {
    title: 'fails after a 303, which is not followed',
    outcome: /^unconfirmed: BadResponseError redirect/,
    tries: 1,
  },
  redirect: { title: 'fails after a 307, which is not followed', outcome: /^rejected: 307 to /, tries: 1 },
  unaskedContinue: {
    title: 'gets its report after a 100 Continue that nobody asked for',
    outcome: /^accepted$/,
    tries: 1,
  },
  deepResponse: {
    title: 'gets its report from a response that is nested 6,000 levels deep',
    outcome: /^accepted$/,
    tries: 1,
  },
  tricklingResponse: {
    title: 'is tried three times if the response trickles in until its deadline',
    outcome: /^unconfirmed: ConnectionLostError truncated/,
    tries: 3,
  },
};

describe('A status check', () => {
  for (const [name, { title, outcome, tries }] of Object.entries(EXPECTED))
    it(title, async () => {
      const fault: Fault = FAULTS[name as FaultName];
      await using faulty = await FaultyService.start(fault);
      const id = typedTaskId('T1', 'string');
      const { signal } = new AbortController();
      const checked = await following(faulty).lookUp(destinationOf(faulty), id, signal);
      assert.match(checked ? outcomeText(checked) : 'no target', outcome);
      assert.equal(faulty.ends.length, tries);
    });
});

function destinationOf({ target }: FaultyService) {
  return { dataset: 'Books', origin: target.baseUrl.origin };
}

/** Can only look up tasks. Pauses end at once. */
function following({ service, target }: FaultyService): Following {
  const clock = new HastyClock();
  const unused = () => assert.fail('not for look-ups');
  const store = { unfinishedTasks: unused, report: unused, checkAgain: unused };
  return new Following({
    ...{ service, store, clock, gates: new Gates(clock) },
    findTarget: async () => target,
    ...{ canServe: unused, isServing: unused, contractOf: unused, readKeysAgain: unused, onError: unused },
  });
}
