import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { MappingServices } from '../../../../src/editor/mapping/mapResponses';
import { OfferMapping } from '../../../../src/editor/mapping/offerMapping';
import type { Action } from '../../../../src/editor/platform/userError';
import { type Contract, DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import type { Refusal } from '../../../../src/service/response/outcome';
import type { ResponseField } from '../../../../src/service/response/recognition';
import { responseFor } from '../../../../src/tasks/following/keptResponses';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import { HandClock } from '../../../unit/tasks/handClock';
import { always, answered, ownList } from '../../answeredTasks';
import { untilRead } from '../../settled';

const baseUrl = new URL('https://import.example');
const begun = '{"taskId":"t-1"}';
const response = { envelope: {}, deviations: [] };
const refusal: Refusal = { by: 'envelope', status: 200, code: '4711', message: 'Which one?', response };

describe('What is asked about answers', () => {
  let own: ReturnType<typeof ownList>;
  let list: TaskList;
  let offers: OfferMapping;
  let said: { readonly how: string; readonly words: string; readonly actions: readonly Action[] }[];
  let meanings: unknown[];
  let gone: Set<string>;
  let deps: object;
  let clock: HandClock;
  let asked: EventEmitter;
  let contract: Contract;
  let keyMark: string;

  beforeEach(() => {
    own = ownList();
    list = own.list;
    said = [];
    gone = new Set();
    clock = new HandClock();
    asked = new EventEmitter();
    contract = DEFAULT_CONTRACT;
    keyMark = 'first';
    meanings = [];
    const hear =
      (how: string) =>
      async (words: string, ...actions: Action[]) => {
        said.push({ how, words, actions });
      };
    deps = {
      list,
      messages: { done: hear('done'), warn: hear('warn') },
      datasets: {
        find: (name: string) => (gone.has(name) ? undefined : { name, contract, baseUrl }),
        targetMark: () => keyMark,
      },
      refresher: { events: asked },
      keys: { lacks: () => false },
      clock,
      mapping: {
        setMeaning: async (...told: unknown[]) => meanings.push(told),
        responseOf: async (field: ResponseField, task: TrackedTask) =>
          responseFor(field, task, await list.history.responses(task.key)),
      },
    };
    offers = new OfferMapping(deps as unknown as MappingServices);
  });

  afterEach(() => {
    offers.dispose();
    own.dispose();
  });

  it('is what a status means, once for each status of a dataset', async () => {
    for (const dataset of ['Manuals', 'Manuals', 'Logs']) {
      for (const status of ['A', 'B', 'A']) await arrives(dataset, `{"status":"${status}"}`);
    }
    assert.deepEqual(
      said.map(({ words }) => words),
      ['Manuals', 'Logs'].flatMap((name) =>
        ['A', 'B'].map((status) => `${name} reports status '${status}' for 'notes.txt'. What does it mean?`),
      ),
    );
    assert.deepEqual(labels(), ['Running', 'Succeeded', 'Failed', 'All Statuses…']);
  });

  it('is taken for the dataset that asked', async () => {
    await arrives('Manuals', '{"status":"Z"}');
    await said[0]?.actions.find(({ label }) => label === 'Succeeded')?.run();
    assert.deepEqual(meanings, [
      [{ name: 'Manuals', contract: DEFAULT_CONTRACT, baseUrl }, 'Z', 'succeeded', list.held[0]?.key],
    ]);
  });

  it('is told to be of no use once the dataset is gone', async () => {
    await arrives('Manuals', '{"status":"Z"}');
    gone.add('Manuals');
    await assert.rejects(async () => said[0]?.actions.at(0)?.run(), /Dataset 'Manuals' no longer exists/);
    assert.deepEqual(meanings, []);
  });

  it('is where the status is, once for a dataset', async () => {
    await arrives('Manuals', '{"x":1}');
    await arrives('Manuals', '{"x":2}');
    assert.deepEqual(
      said.map(({ words }) => words),
      ["No status was recognized in the response for 'notes.txt'."],
    );
    assert.deepEqual(labels(), ['Choose the Status…', 'Edit State Rules…', 'Show Response']);
  });

  it('is first where the status is where a value is a usual word of one, and else by which rules', async () => {
    await arrives('Manuals', '{"finished":false,"success":false,"lamp":"RUNNING"}');
    await arrives('Logs', '{"finished":false,"success":false,"message":"success"}');
    assert.deepEqual(
      said.map(({ actions }) => actions[0]?.label),
      ['Use as Status', 'Use These Rules'],
    );
  });

  it('is what an error beside a success means, once for each place of one', async () => {
    for (const line of [7, 8]) await arrives('Manuals', `{"status":"DONE","error":"line ${line}"}`);
    await arrives('Manuals', '{"status":"DONE","failure":{"line":9}}');
    assert.deepEqual(
      said.map(({ words }) => words),
      [
        "Manuals reports success for 'notes.txt', but the response also has 'error': line 7. What does it mean?",
        `Manuals reports success for 'notes.txt', but the response also has 'failure': {"line":9}. What does it mean?`,
      ],
    );
    assert.deepEqual(labels(), ['Failed', 'Succeeded', 'Show Response']);
  });

  it('is where the status is of a response that lists several tasks, none of them known to be ours', async () => {
    await arrives('Manuals', '[{"taskId":"t-0","status":"FAILED"},{"taskId":"t-2","status":"RUNNING"}]');
    assert.deepEqual(
      said.map(({ words }) => words),
      ["The response for 'notes.txt' lists several tasks, and none of them is known to be 't-1'."],
    );
    assert.equal(labels()[0], 'Choose the Status…');
  });

  it('is, where the statuses of many tasks differ only in their numbers, whether the status is elsewhere; once', async () => {
    for (let page = 1; page <= 6; page++) await arrives('Manuals', `{"status":"Page ${page} of 400"}`);
    await arrives('Logs', '{"status":"Page 1 of 2"}');
    assert.deepEqual(
      said.map(({ words }) => words),
      [
        ...[1, 2, 3].map((page) => `Manuals reports status 'Page ${page} of 400' for 'notes.txt'. What does it mean?`),
        "The status that Manuals reports for 'notes.txt' looks like a measurement: Page 2 of 400, Page 3 of 400, Page 4 of 400. Is the status elsewhere in the response?",
        "Logs reports status 'Page 1 of 2' for 'notes.txt'. What does it mean?",
      ],
    );
    assert.deepEqual(
      said[3]?.actions.map(({ label }) => label),
      ['Choose the Status…', 'Edit State Rules…', 'Show Response'],
    );
  });

  it('is another key where the service minds that of the query, once, though the task was reported before', async () => {
    for (const found of [undefined, '{"status":"RUNNING"}']) {
      const [task] = await list.add([answered({ dataset: 'Manuals', begun, found })]);
      assert.ok(task);
      await list.change(task.key, { lastQueryError: { kind: 'rejected', refusal, badKey: true } }, always);
    }
    assert.deepEqual(
      said.map(({ how, words }) => [how, words]),
      [['warn', "Manuals rejected the status check of 'notes.txt': code 4711: Which one?"]],
    );
    assert.deepEqual(labels(), ['Replace Access Key…', 'Show Response']);
  });

  for (const [what, error, replace] of [
    [
      'another request',
      {},
      () => {
        contract = { ...contract, queryTask: { ...contract.queryTask, body: { id: '${taskId}' } } };
      },
    ],
    [
      'another key',
      { badKey: true },
      () => {
        keyMark = 'second';
      },
    ],
  ] as const) {
    it(`is ${what} again where the one that the user gave is refused in the same words`, async () => {
      const [task] = await list.add([answered({ dataset: 'Manuals', begun })]);
      assert.ok(task);
      await list.change(task.key, { lastQueryError: { kind: 'rejected', refusal, ...error } }, always);
      const refuse = () => asked.emit('asked', { question: { key: task.key }, outcome: { kind: 'rejected' } });
      refuse();
      assert.equal(said.length, 1);
      replace();
      refuse();
      refuse();
      assert.equal(said.length, 2);
    });
  }

  it('is another request where the service refused the query, in its own words and once for a dataset', async () => {
    for (let time = 0; time < 2; time++) {
      const [task] = await list.add([answered({ dataset: 'Manuals', begun })]);
      assert.ok(task);
      await list.change(task.key, { lastQueryError: { kind: 'rejected', refusal } }, always);
    }
    assert.deepEqual(
      said.map(({ how, words }) => [how, words]),
      [['warn', "Manuals rejected the status check of 'notes.txt': code 4711: Which one?"]],
    );
    assert.deepEqual(labels(), ['Edit Request…', 'Choose the Task ID…', 'Show Response']);
  });

  it('is nothing of a status that is understood, and of a task that was reported before a refusal', async () => {
    for (const status of ['RUNNING', 'done', '失败']) await arrives('Manuals', `{"status":"${status}"}`);
    const [task] = await list.add([answered({ dataset: 'Manuals', begun, found: '{"status":"RUNNING"}' })]);
    assert.ok(task);
    await list.change(task.key, { lastQueryError: { kind: 'rejected', refusal } }, always);
    assert.deepEqual(said, []);
  });

  it('is asked of a newer status once VS Code has hidden the open question, though no task changes after that', async () => {
    const told = tellOpen();
    await arrives('Manuals', '{"status":"A"}');
    clock.advance(5000);
    await arrives('Manuals', '{"status":"B"}');
    assert.deepEqual(told, [about('A')]);
    clock.advance(10_000);
    assert.deepEqual(told, [about('A'), about('B')]);
    clock.advance(60_000);
    assert.deepEqual(told, [about('A'), about('B')]);
  });

  it('is asked of the newest status at once, where no task has the one that was asked about any more', async () => {
    const told = tellOpen();
    const task = await arrives('Manuals', '{"status":"A"}');
    await arrives('Manuals', '{"status":"B"}');
    await reports(task, '{"status":"C"}');
    assert.deepEqual(told, [about('A'), about('C')]);
    clock.advance(15_000);
    assert.deepEqual(told, [about('A'), about('C'), about('B')]);
  });

  it('is not asked of tasks of a dataset that has moved, as nothing could be chosen for them', async () => {
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

  for (const [state, change] of [
    ['is known by its usual word', { status: 'DONE', meaning: 'succeeded' }],
    ['is told by rules', { status: undefined, meaning: 'succeeded' }],
  ] as const) {
    it(`is said to be answered where meanwhile the state ${state}, and nothing is opened`, async () => {
      await arrives('Manuals', '{"x":1}');
      const [task] = list.held;
      assert.ok(task);
      const report = { progress: undefined, message: 'ok', from: {}, ...change };
      await list.change(task.key, { phase: { kind: 'accepted', report } }, always);
      const { actions } = said[0] ?? assert.fail();
      for (const label of ['Choose the Status…', 'Edit State Rules…'])
        await actions.find((action) => action.label === label)?.run();
      assert.deepEqual(
        said.slice(1).map(({ words }) => words),
        new Array(2).fill("There is nothing left to choose for 'notes.txt'."),
      );
    });
  }

  it('is nothing any more once it is disposed of', async () => {
    offers.dispose();
    await arrives('Manuals', '{"status":"Z"}');
    assert.deepEqual(said, []);
  });

  /** A task of the dataset is asked about, and this is the response's data. */
  async function arrives(dataset: string, found: string): Promise<TrackedTask> {
    const [task] = await list.add([answered({ dataset, begun })]);
    assert.ok(task);
    await reports(task, found);
    return task;
  }

  async function reports({ key, dataset }: TrackedTask, found: string): Promise<void> {
    const { phase, lastResponse } = answered({ dataset, begun, found });
    await list.change(key, { phase, lastResponse }, always);
    await untilRead(list);
  }

  /** Collects messages that nobody answers or closes. */
  function tellOpen(): readonly string[] {
    const told: string[] = [];
    offers.dispose();
    const done = (words: string) => {
      told.push(words);
      return new Promise<void>(() => {});
    };
    offers = new OfferMapping({ ...deps, messages: { done, warn: done } } as unknown as MappingServices);
    return told;
  }

  function about(status: string): string {
    return `Manuals reports status '${status}' for 'notes.txt'. What does it mean?`;
  }

  function labels(): string[] {
    return said[0]?.actions.map(({ label }) => label) ?? [];
  }
});
