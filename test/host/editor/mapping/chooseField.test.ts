import assert from 'node:assert/strict';
import { chooseField } from '../../../../src/editor/mapping/chooseField';
import { Mapping, type MappingServices } from '../../../../src/editor/mapping/mapping';
import { UserError } from '../../../../src/editor/platform/userError';
import { picks } from '../../../../src/editor/platform/window';
import type { Datasets } from '../../../../src/editor/services/datasets';
import { formatState } from '../../../../src/editor/taskItems/formatState';
import type { Dataset } from '../../../../src/service/contract/dataset';
import type { ResponseField } from '../../../../src/service/response/fields';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { answered, ownList } from '../../answeredTasks';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';
import { answering } from '../../settled';

describe('The pick of a value', () => {
  let kept: OwnDatasets;
  let datasets: Datasets;
  let own: ReturnType<typeof ownList>;
  let list: TaskList;
  let mapping: Mapping;

  beforeEach(() => {
    kept = ownDatasets([{ name: 'Manuals', baseUrl: 'https://manuals.example' }]);
    datasets = kept.datasets;
    own = ownList();
    list = own.list;
    mapping = new Mapping(datasets, list);
  });

  afterEach(() => {
    for (const part of [kept, own]) part.dispose();
  });

  it('in a list of several tasks is ours, and is read for each task in its own element', async () => {
    const found = '{"rows":[{"id":"t-0","st":"BAD"},{"id":"t-2","st":"GOOD"}],"count":2}';
    const [zero, two] = await list.add([asked('t-0', found), asked('t-2', found)]);
    await takesFirst('status', two);
    assert.equal(dataset().contract.queryTask.status, '/rows/${taskId}/st');
    assert.deepEqual([statusOf(zero), statusOf(two)], ['BAD', 'GOOD']);
  });

  it('is not offered if all values are those of other tasks, which the row says', async () => {
    const [task] = await list.add([
      asked('t-1', '[{"taskId":"t-0","status":"FAILED"},{"taskId":"t-2","status":"DONE"}]'),
    ]);
    assert.ok(task);
    assert.equal(formatState(taskState(task), task), "task 't-1' is not in the response");
    const error = await chooseIn('status', task).catch((error: unknown) => error);
    assert.ok(error instanceof UserError);
    assert.equal(error.message, "The response for 'notes.txt' has only values of other tasks than 't-1'.");
    assert.deepEqual(
      error.actions.map(({ label }) => label),
      ['Open Dataset Settings'],
    );
  });

  /** A task that was asked about; `found` is the `data` of the response. */
  function asked(id: string, found: string) {
    return answered({ dataset: 'Manuals', begun: JSON.stringify({ taskId: id }), found });
  }

  async function takesFirst(field: ResponseField, task: TrackedTask | undefined): Promise<void> {
    await answering(chooseIn(field, task), 'accept');
  }

  async function chooseIn(field: ResponseField, task: TrackedTask | undefined): Promise<void> {
    assert.ok(task);
    const { lastResponse = '' } = await list.history.responses(task.key);
    const services = { mapping, picks } as unknown as MappingServices;
    await chooseField(services, dataset(), field, { task, response: lastResponse });
  }

  function statusOf(task: TrackedTask | undefined): string | undefined {
    const { phase } = list.get(task?.key ?? 0) ?? assert.fail();
    return phase.kind === 'accepted' ? phase.report?.status : undefined;
  }

  function dataset(): Dataset {
    return datasets.find('Manuals') ?? assert.fail();
  }
});
