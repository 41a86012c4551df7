import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { RawServer } from '../rawServer';
import { answering, response } from '../responses';
import { target, unwatched, wire } from '../wire';

/** Each with a 19-digit id of its own. */
function listing(count: number): string {
  const tasks = Array.from({ length: count }, (_, index) => `{"id":${idOf(index)},"status":"${statusOf(index)}"}`);
  return `{"code":"0","message":null,"data":{"tasks":[${tasks}]}}`;
}

const idOf = (index: number) => `7${String(index).padStart(18, '0')}`;
const statusOf = (index: number) => (index % 2 === 0 ? 'RUNNING' : 'DONE');

/** Reads the statuses of these tasks at once, and gives the turn of the event loop in which each part was read. */
async function readAtOnce(body: string, indexes: readonly number[]) {
  await using server = await RawServer.start(answering(response('200 OK', body)));
  let turn = 0;
  const count = () => {
    turn += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const service = wire();
  const readings = indexes.map(() => {
    const turns: number[] = [];
    // The clock is looked at as a part begins, and as it ends.
    return { turns, reading: service.reading(() => turns.push(turn)) };
  });
  const outcomes = await Promise.all(
    readings.map(({ reading }, at) => {
      const id = typedTaskId(idOf(indexes[at] ?? 0), 'number');
      return service.queryTask(target(server.url), id, { ...unwatched(), reading });
    }),
  );
  clearImmediate(counting);
  const statuses = outcomes.map((outcome) => (outcome.kind === 'accepted' ? outcome.value.status : outcome));
  return { statuses, turns: readings.flatMap(({ turns }) => turns.filter((_, index) => index % 2 === 0)) };
}

describe('A long response', () => {
  it('of 5,000 tasks is read in slices, between which the event loop turns, also where several come at once', async () => {
    const indexes = [0, 3500, 4999];
    const { statuses, turns } = await readAtOnce(listing(5000), indexes);
    assert.deepEqual(statuses, indexes.map(statusOf));
    assert.ok(turns.length >= 3 * indexes.length, turns.join());
    assert.equal(new Set(turns).size, turns.length, turns.join());
  });

  it('is not what a short one is, which is read at once', async () => {
    const { statuses, turns } = await readAtOnce(listing(5), [3]);
    assert.deepEqual([statuses, new Set(turns).size], [['DONE'], 1]);
  });
});
