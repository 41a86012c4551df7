import assert from 'node:assert/strict';
import type { MappingServices } from '../../../../src/editor/mapping/mapping';
import { OfferMapping } from '../../../../src/editor/mapping/offerMapping';
import type { Action } from '../../../../src/editor/platform/userError';
import { type Contract, DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import type { ResponseField } from '../../../../src/service/response/fields';
import type { Refusal } from '../../../../src/service/response/outcome';
import { responseFor } from '../../../../src/tasks/following/keptResponses';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import { always, answered, ownList } from '../../answeredTasks';
import { untilRead } from '../../settled';

const baseUrl = new URL('https://import.example');
const begun = '{"taskId":"t-1"}';
const response = { envelope: {}, deviations: [] };
const refusal: Refusal = { by: 'envelope', status: 200, code: '4711', message: 'Which one?', response };

describe('The message about a response', () => {
  let own: ReturnType<typeof ownList>;
  let list: TaskList;
  let offers: OfferMapping;
  let said: { readonly how: string; readonly words: string; readonly actions: readonly Action[] }[];
  let contract: Contract;

  beforeEach(() => {
    own = ownList();
    list = own.list;
    said = [];
    contract = DEFAULT_CONTRACT;
    const hear =
      (how: string) =>
      async (words: string, ...actions: Action[]) => {
        said.push({ how, words, actions });
      };
    const services = {
      list,
      messages: { done: hear('done'), warn: hear('warn') },
      datasets: {
        find: (name: string) => ({ name, contract, baseUrl }),
        hasFault: () => false,
      },
      keys: { lacks: () => false },
      mapping: {
        responseOf: async (field: ResponseField, task: TrackedTask) =>
          responseFor(field, task, await list.history.responses(task.key)),
      },
    };
    offers = new OfferMapping(services as unknown as MappingServices);
  });

  afterEach(() => {
    offers.dispose();
    own.dispose();
  });

  it('asks what a status means, once per dataset until its mapping is changed', async () => {
    for (const status of ['A', 'B'])
      for (const dataset of ['Manuals', 'Logs']) await arrives(dataset, `{"status":"${status}"}`);
    contract = { ...DEFAULT_CONTRACT, queryTask: { ...DEFAULT_CONTRACT.queryTask, statusMeanings: { A: 'running' } } };
    await arrives('Manuals', '{"status":"C"}');
    assert.deepEqual(
      said.map(({ words }) => words),
      [about('A'), "Logs reports status 'A' for 'notes.txt'. What does it mean?", about('C')],
    );
    assert.deepEqual(labels(), ['Map Statuses…', 'Map Responses…', 'Show Details']);
  });

  it("asks where the status is, once per dataset and with the service's response", async () => {
    await arrives('Manuals', '{"x":1}');
    await arrives('Manuals', '{"x":2}');
    assert.deepEqual(
      said.map(({ words }) => words),
      ['No status was recognized in the response for \'notes.txt\': {"x":1}'],
    );
    assert.deepEqual(labels(), ['Map Responses…', 'Show Details']);
  });

  it('asks for another state expression if it yields no state', async () => {
    contract = { ...DEFAULT_CONTRACT, queryTask: { ...DEFAULT_CONTRACT.queryTask, state: 'flag' } };
    await arrives('Manuals', '{"flag":7}');
    assert.deepEqual(
      said.map(({ words }) => words),
      [
        'The state expression of Manuals yielded 7 for \'notes.txt\'. It must yield one of "running", "succeeded", "failed".',
      ],
    );
    assert.deepEqual(labels(), ['Map Responses…', 'Show Details']);
  });

  it('names our ID if a response lists several tasks, none of them known to be ours', async () => {
    await arrives('Manuals', '[{"taskId":"t-0","status":"FAILED"},{"taskId":"t-2","status":"RUNNING"}]');
    assert.deepEqual(
      said.map(({ words }) => words),
      ["The response for 'notes.txt' lists several tasks, and none of them is known to be 't-1'."],
    );
    assert.equal(labels()[0], 'Map Responses…');
  });

  it('offers another key or request once per dataset if the service rejects queries, in its own words', async () => {
    for (const [rejected, founds, button] of [
      [{ kind: 'rejected', refusal, badKey: true }, [undefined, '{"status":"RUNNING"}'], 'Replace Access Key…'],
      [{ kind: 'rejected', refusal }, [undefined, undefined], 'Edit Request…'],
    ] as const) {
      said.length = 0;
      for (const found of founds) {
        const [{ key } = assert.fail()] = await list.add([answered({ dataset: 'Manuals', begun, found })]);
        await list.change(key, { lastQueryError: rejected }, always);
      }
      assert.deepEqual(
        said.map(({ how, words }) => [how, words]),
        [['warn', "Manuals rejected the status check of 'notes.txt': code 4711: Which one?"]],
      );
      assert.equal(labels()[0], button);
    }
  });

  it("doesn't come for known statuses, or for a rejection after a report", async () => {
    for (const status of ['RUNNING', 'done', '失败']) await arrives('Manuals', `{"status":"${status}"}`);
    const [task] = await list.add([answered({ dataset: 'Manuals', begun, found: '{"status":"RUNNING"}' })]);
    assert.ok(task);
    await list.change(task.key, { lastQueryError: { kind: 'rejected', refusal } }, always);
    assert.deepEqual(said, []);
  });

  it("doesn't come for tasks of a dataset that has moved", async () => {
    const [task] = await list.add([{ ...answered({ dataset: 'Manuals', begun }), origin: 'https://other.example' }]);
    assert.ok(task);
    const { phase, lastResponse } = answered({ dataset: 'Manuals', begun, found: '{"status":"Z"}' });
    await list.change(task.key, { phase, lastResponse }, always);
    await arrives('Logs', '{"status":"Z"}');
    assert.deepEqual(
      said.map(({ words }) => words),
      ["Logs reports status 'Z' for 'notes.txt'. What does it mean?"],
    );
  });

  /** A task of the dataset is asked about, and this is the response's data. */
  async function arrives(dataset: string, found: string): Promise<void> {
    const [{ key } = assert.fail()] = await list.add([answered({ dataset, begun })]);
    const { phase, lastResponse } = answered({ dataset, begun, found }, contract);
    await list.change(key, { phase, lastResponse }, always);
    await untilRead(list);
  }

  function about(status: string): string {
    return `Manuals reports status '${status}' for 'notes.txt'. What does it mean?`;
  }

  function labels(): string[] {
    return said[0]?.actions.map(({ label }) => label) ?? [];
  }
});
