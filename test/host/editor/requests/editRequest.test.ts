import assert from 'node:assert/strict';
import type { InputBoxOptions, QuickPickItem } from 'vscode';
import type { Messages } from '../../../../src/editor/platform/messages';
import type { Action } from '../../../../src/editor/platform/userError';
import { type Picks, picks } from '../../../../src/editor/platform/window';
import { editRequest } from '../../../../src/editor/requests/editRequest';
import { clicked } from '../../../../src/editor/targets';
import type { NewTask } from '../../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../activated';
import { answered, fileSource, type OwnList, ownList } from '../../answeredTasks';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';
import { answering } from '../../settled';

describe('Edit Request…', () => {
  const ORIGIN = 'https://manuals.example';
  let parts: Parts;
  let kept: OwnDatasets;
  let own: OwnList;
  let said: { readonly words: string; readonly actions: readonly string[] }[];

  before(async () => {
    parts = await activated();
  });

  beforeEach(() => {
    own = ownList();
    said = [];
    kept = ownDatasets([{ name: 'Manuals', baseUrl: ORIGIN }]);
  });

  afterEach(() => {
    for (const each of [kept, own]) each.dispose();
  });

  it('of a rejected import begins with the field that the service named, and then offers to import all alike again', async () => {
    await rejectedImport('another rejection', '7');
    await rejectedImport('缺少参数“fileName”');
    const task = await rejectedImport('缺少参数“fileName”');
    await answering(edit(task), 'accept');
    assert.deepEqual(dataset().contract.fileTask.fields, { fileName: '${fileName}' });
    const words = "The request settings of dataset 'Manuals' were changed. Rejected imports: 2.";
    assert.deepEqual(said, [{ words, actions: ['Import Again'] }]);
  });

  it('of a rejected request begins with the header that the service named, and holds its words in the title', async () => {
    const shown: InputBoxOptions[] = [];
    const task = await rejectedImport('The header "X-Tenant" is required.');
    await edit(task, { text: 'acme', shown });
    assert.equal(dataset().contract.headers['X-Tenant'], 'acme');
    assert.deepEqual(
      shown.map(({ title }) => title),
      ['Header \'X-Tenant\' · code 400: The header "X-Tenant" is required.'],
    );
  });

  it('of a rejected status check begins with its body, with the member that the service named', async () => {
    for (const [message, body, cursor] of [
      ["parameter 'taskIds' is required", { taskIds: ['${taskId}'] }, '{"taskIds":["${taskId}"]'],
      ['taskNo is required', { taskNo: '${taskId}' }, '{"taskNo":"${taskId}"'],
      ["parameter 'lang' is required", { taskId: '${taskId}', lang: 'en' }, '{"taskId":"${taskId}","lang":"'],
    ] as const) {
      const shown: InputBoxOptions[] = [];
      await edit(await rejectedQuery(message), { text: (value) => value.replace('""', '"en"'), shown });
      assert.deepEqual(dataset().contract.queryTask.body, body, message);
      const { value, valueSelection } = shown[0] ?? {};
      assert.equal(value?.slice(0, valueSelection?.[0]), cursor);
      await kept.datasets.override(dataset(), ['queryTask', 'body'], undefined);
    }
    assert.deepEqual(said.at(-1)?.actions, ['Test Connection']);
  });

  it('lists the names in the words of the service first, wherever they can stand, if the user leaves the first box', async () => {
    const named = await rejectedImport("Parameter 'mode' must be 'fast', like part 'docs'");
    assert.deepEqual((await offered(named)).slice(0, 12), [
      ...['named by the service', "Form Field 'mode'", 'File Part Name', "Header 'mode'"],
      ...["Form Field 'fast'", 'File Part Name', "Header 'fast'"],
      ...['File Part Name', "Form Field 'docs'", "Header 'docs'"],
      ...['all parts', 'File Part Name'],
    ]);
    const query = await rejectedQuery("'x-mode' is required");
    assert.deepEqual((await offered(query)).slice(0, 4), [
      ...['named by the service', "Header 'x-mode'", 'Status Check Body', 'all parts'],
    ]);
  });

  it('lists all parts if the rejection names nothing that is still missing', async () => {
    assert.deepEqual(await offered(await rejectedImport('internal error')), [
      ...['File Part Name', 'Form Fields', 'Status Check Body', 'Headers', 'Open Dataset Settings'],
    ]);
    await kept.datasets.override(dataset(), ['fileTask', 'fields', 'fileName'], 'x');
    assert.equal((await offered(await rejectedImport('缺少参数“fileName”')))[0], 'File Part Name');
    assert.deepEqual(said, []);
  });

  it('proposes the name of the ID in responses for the body of the status check', async () => {
    for (const [pointer, proposed] of [
      ['/slip/ref', '{"ref":"${taskId}"}'],
      ['/jobs/${taskId}', '{"taskId":"${taskId}"}'],
    ] as const) {
      const shown: InputBoxOptions[] = [];
      const taskIdFrom = { how: 'mapped', pointer } as const;
      await edit(await rejectedQuery('Which one?', { taskIdFrom }), { text: undefined, shown });
      assert.deepEqual(
        shown.map(({ value }) => value),
        [proposed],
      );
    }
  });

  it('changes nothing if the user cancels', async () => {
    await answering(edit(await rejectedImport('缺少参数“fileName”')), 'cancel');
    assert.equal(kept.datasets.overrides(dataset()), undefined);
    assert.deepEqual(said, []);
  });

  function dataset() {
    return kept.datasets.find('Manuals') ?? assert.fail('there is no dataset');
  }

  /** The labels of the list that comes after the first box was left. */
  async function offered(key: number): Promise<readonly string[]> {
    const labels: string[] = [];
    await edit(key, { text: undefined, labels });
    return labels;
  }

  /** Types into every box, and leaves the list; without `typed`, VS Code asks. */
  async function edit(
    key: number,
    typed?: {
      text: string | undefined | ((value: string) => string);
      shown?: InputBoxOptions[];
      labels?: string[];
    },
  ): Promise<void> {
    const done = async (words: string, ...actions: Action[]) => {
      said.push({ words, actions: actions.map(({ label }) => label) });
    };
    const text = async (options: InputBoxOptions) => {
      typed?.shown?.push(options);
      return typeof typed?.text === 'function' ? typed.text(options.value ?? '') : typed?.text;
    };
    const one = async (items: readonly QuickPickItem[]) => {
      typed?.labels?.push(...items.map(({ label }) => label));
    };
    const services = { ...parts, datasets: kept.datasets, list: own.list, messages: { done } as unknown as Messages };
    const shown = typed === undefined ? picks : ({ ...picks, one, text } as unknown as Picks);
    await editRequest({ ...services, picks: shown }, clicked({ taskKey: key }));
  }

  function rejectedImport(message: string, code = '400'): Promise<number> {
    const refusal = { by: 'envelope', status: 200, code, message } as const;
    const source = fileSource('notes.txt', 5);
    return added({ ...answered({ dataset: 'Manuals', begun: '{}' }), source, phase: { kind: 'rejected', refusal } });
  }

  function rejectedQuery(message: string, more: Partial<NewTask> = {}): Promise<number> {
    const refusal = { by: 'envelope', status: 200, code: '400', message } as const;
    const begun = answered({ dataset: 'Manuals', begun: '{"taskId":"t-1"}' });
    return added({ ...begun, lastQueryError: { kind: 'rejected', refusal }, ...more });
  }

  async function added(task: NewTask): Promise<number> {
    const [{ key } = assert.fail()] = await own.list.add([{ ...task, origin: ORIGIN }]);
    return key;
  }
});
