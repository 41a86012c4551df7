import assert from 'node:assert/strict';
import { typedTaskId } from '../../../src/service/json/taskId';
import { Following } from '../../../src/tasks/following/following';
import { Gate } from '../../../src/tasks/sending/gate';
import { outcomeText } from '../service/operations';
import { FAULTS, type Fault, type FaultName } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';

interface Expected {
  readonly title: string;
  readonly outcome: RegExp;
  readonly tries: 1 | 3;
}

/** Faults that aren't listed, such as a 401, have the same effect as one of these. */
const EXPECTED: Partial<Readonly<Record<FaultName, Expected>>> = {
  refusedConnection: {
    title: 'is tried three times if the service refuses connections',
    outcome: /^not uploaded: ConnectError refused$/,
    tries: 3,
  },
  untrustedCertificate: {
    title: "is not retried if the service's certificate is not trusted",
    outcome: /^not uploaded: ConnectError tls$/,
    tries: 1,
  },
  proxyLogin: {
    title: 'is not retried after a proxy responds with 407',
    outcome: /^not uploaded: ConnectError proxyLogin$/,
    tries: 1,
  },
  resetAfterBody: {
    title: 'is tried three times if the connection is reset after the request has been sent',
    outcome: /^unconfirmed: ConnectionLostError reset/,
    tries: 3,
  },
  silence: {
    title: 'is tried three times if there is no response',
    outcome: /^unconfirmed: ConnectionLostError silent/,
    tries: 3,
  },
  rejection: {
    title: 'returns the code and message from a 400 with an envelope',
    outcome: /^rejected: 400, code A-1: no, not with /,
    tries: 1,
  },
  busy: { title: 'is not retried immediately after a 429', outcome: /^rejected: 429/, tries: 1 },
  unavailable: {
    title: 'is not retried immediately after a 503 with a Retry-After',
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
    title: 'fails without a retry if the response is longer than 1 MiB',
    outcome: /^unconfirmed: BadResponseError tooLarge/,
    tries: 1,
  },
  notHttp: {
    title: 'is tried three times if the response is not valid HTTP',
    outcome: /^unconfirmed: BadResponseError notHttp/,
    tries: 3,
  },
  otherCode: {
    title: 'is rejected if a 200 response has a code other than "0"',
    outcome: /^rejected: 200, code D-17: no, not with /,
    tries: 1,
  },
  noData: { title: 'returns an empty report if the data is null', outcome: /^accepted$/, tries: 1 },
  redirect: {
    title: 'is rejected after a 307, because redirects are not followed',
    outcome: /^rejected: 307 to /,
    tries: 1,
  },
  tricklingResponse: {
    title: 'is tried three times if the response is still trickling in at its deadline',
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

/** Returns a `Following` instance that can only look up tasks and whose pauses end immediately. */
function following({ service, target }: FaultyService): Following {
  const clock = new HastyClock();
  const gate = new Gate(clock, () => 1);
  const unused = () => assert.fail('not used by lookups');
  const store = { unfinishedTasks: unused, report: unused, checkAgain: unused, passedStatuses: unused };
  return new Following({
    service,
    store,
    clock,
    gateOf: () => gate,
    findTarget: async () => target,
    canServe: unused,
    isServing: unused,
    contractOf: unused,
    readKeysAgain: unused,
    onError: unused,
  });
}
