import assert from 'node:assert/strict';
import { typedTaskId } from '../../../src/service/json/taskId';
import { Following } from '../../../src/tasks/following/following';
import { Gate } from '../../../src/tasks/sending/gate';
import { outcomeText } from '../service/operations';
import { FAULTS, type Fault, type FaultName } from './faults';
import { FaultyService } from './faultyService';
import { HastyClock } from './hastyClock';

/** Faults that aren't listed, such as a 401, have the same effect as one of these. */
const EXPECTED: Partial<Readonly<Record<FaultName, readonly [tries: 1 | 3, outcome: RegExp]>>> = {
  refusedConnection: [3, /^not uploaded: ConnectError refused$/],
  untrustedCertificate: [1, /^not uploaded: ConnectError tls$/],
  proxyLogin: [1, /^not uploaded: ConnectError proxyLogin$/],
  resetAfterBody: [3, /^unconfirmed: ConnectionLostError reset/],
  silence: [3, /^unconfirmed: ConnectionLostError silent/],
  rejection: [1, /^rejected: 400, code A-1: no, not with /],
  busy: [1, /^rejected: 429/],
  unavailable: [1, /^unconfirmed: BadResponseError serverError/],
  serverError: [3, /^unconfirmed: BadResponseError serverError/],
  html: [3, /^unconfirmed: BadResponseError notJson/],
  cutResponse: [3, /^unconfirmed: ConnectionLostError (?:truncated|reset)/],
  hugeResponse: [1, /^unconfirmed: BadResponseError tooLarge/],
  notHttp: [3, /^unconfirmed: BadResponseError notHttp/],
  otherCode: [1, /^rejected: 200, code D-17: no, not with /],
  noData: [1, /^accepted$/],
  redirect: [1, /^rejected: 307 to /],
  tricklingResponse: [3, /^unconfirmed: ConnectionLostError truncated/],
};

describe('A status check', () => {
  for (const [name, [tries, outcome]] of Object.entries(EXPECTED)) {
    const fault: Fault = FAULTS[name as FaultName];
    it(`is ${tries === 3 ? 'tried three times' : 'not retried'} ${fault.when}`, async () => {
      await using faulty = await FaultyService.start(fault);
      const id = typedTaskId('T1', 'string');
      const { signal } = new AbortController();
      const checked = await following(faulty).lookUp(destinationOf(faulty), id, signal);
      assert.match(checked ? outcomeText(checked) : 'no target', outcome);
      assert.equal(faulty.ends.length, tries);
    });
  }
});

function destinationOf({ target }: FaultyService) {
  return { dataset: 'Books', origin: target.baseUrl.origin };
}

/** Returns a `Following` instance that can only look up tasks and whose pauses end immediately. */
function following({ service, target }: FaultyService): Following {
  const clock = new HastyClock();
  const gate = new Gate(clock, () => 1);
  const unused = () => assert.fail('not used by lookups');
  const mapping = { checkAgain: unused, passedStatuses: unused, responses: unused, attach: unused };
  const store = { unfinishedTasks: unused, report: unused, ...mapping };
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
