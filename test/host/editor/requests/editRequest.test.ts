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
    kept = ownDatasets([{ name: 'Manuals', baseUrl: 'https://manuals.example' }]);
  });

  afterEach(() => {
    for (const each of [kept, own]) each.dispose();
  });

  it('of a rejected import opens on the field that the service named, and takes the likely value of the file first', async () => {
    for (const [message, fields] of [
      ['缺少参数“fileName”', { fileName: '${fileName}' }],
      ["Required String parameter 'docTitle' is not present", { docTitle: '${taskName}' }],
      ["missing field 'file_size'", { file_size: '${size}' }],
      ['“source_path”不能为空', { source_path: '${relativePath}' }],
      ['The field `contentType` is required', { contentType: '${mediaType}' }],
      ['„fileType“ fehlt', { fileType: '${extension}' }],
      ['`sha256` is missing', { sha256: '${sha256}' }],
      // In a form, dots and brackets are part of the name.
      ['"fileName[]" is required', { 'fileName[]': '${fileName}' }],
      ['"meta.title" is required', { 'meta.title': '${taskName}' }],
    ] as const) {
      const task = await rejectedImport(message);
      await answering(edit(task), 'accept');
      assert.deepEqual(dataset().contract.fileTask.fields, fields, message);
      await kept.datasets.override(dataset(), ['fileTask', 'fields'], undefined);
    }
    assert.deepEqual(said.at(-1), {
      words: "The request settings of dataset 'Manuals' were changed.",
      actions: ['Import Again', 'Edit Request…'],
    });
  });

  it('of a rejected request opens on the header that the service named', async () => {
    const values: unknown[] = [];
    const text = async ({ title, value }: InputBoxOptions) => {
      values.push([title, value]);
      return 'acme';
    };
    const task = await rejectedImport('The header "X-Tenant" is required.');
    await edit(task, { ...picks, text } as Picks);
    assert.equal(dataset().contract.headers['X-Tenant'], 'acme');
    assert.equal(values.length, 1);
  });

  it('of a rejected query opens on its body, with the member that the service named', async () => {
    for (const [message, body] of [
      ["parameter 'taskIds' is required", { taskIds: ['${taskId}'] }],
      ["parameter 'lang' is required", { taskId: '${taskId}', lang: '' }],
      ["'query.taskNo' is required", { query: { taskNo: '${taskId}' } }],
      ["'importIds[]' is required", { importIds: ['${taskId}'] }],
    ] as const) {
      const task = await rejectedQuery(message);
      await answering(edit(task), 'accept');
      assert.deepEqual(dataset().contract.queryTask.body, body, message);
      await kept.datasets.override(dataset(), ['queryTask', 'body'], undefined);
    }
    assert.deepEqual(said.at(-1)?.actions, ['Test Connection', 'Edit Request…']);
  });

  it('lists first, wherever they can stand, the names in the words of the service, where the user leaves the first box', async () => {
    const named = await rejectedImport("Parameter 'mode' must be 'fast', like part 'docs'");
    assert.deepEqual((await offered(named)).slice(0, 12), [
      ...['named by the service', "Form Field 'mode'", 'File Part Name', "Header 'mode'"],
      ...["Form Field 'fast'", 'File Part Name', "Header 'fast'"],
      ...['File Part Name', "Form Field 'docs'", "Header 'docs'"],
      ...['all parts', 'File Part Name'],
    ]);
    const brackets = await rejectedImport("'docs[]' is missing");
    assert.deepEqual((await offered(brackets)).slice(0, 4), [
      ...['named by the service', 'File Part Name', "Form Field 'docs[]'", 'all parts'],
    ]);
    const query = await rejectedQuery("'mode' and 'x-mode' are required");
    assert.deepEqual((await offered(query)).slice(0, 6), [
      ...[
        'named by the service',
        'Status Check Body',
        "Header 'mode'",
        "Header 'x-mode'",
        'Status Check Body',
        'all parts',
      ],
    ]);
  });

  it('sends the file, or anything else, under a name in the list', async () => {
    const one = async (items: readonly QuickPickItem[]) => items.find(({ description }) => description === 'mode');
    const oneOrTyped = async () => undefined;
    await edit(await rejectedImport("Part 'mode' is missing"), { ...picks, one, oneOrTyped } as Picks);
    assert.equal(dataset().contract.fileTask.filePart, 'mode');
  });

  it('proposes the name under which the ID came for the body of the query, and none where the ID itself is the name', async () => {
    const refusal = { by: 'envelope', status: 200, code: '400', message: 'Which one?' } as const;
    for (const [pointer, proposed] of [
      ['/slip/ref', '{"ref":"${taskId}"}'],
      ['/jobs/${taskId}', '{"taskId":"${taskId}"}'],
    ] as const) {
      const begun = answered({ dataset: 'Manuals', begun: '{"taskId":"t-1"}' });
      const taskIdFrom = { how: 'mapped', pointer } as const;
      const task = await added({ ...begun, taskIdFrom, lastQueryError: { kind: 'rejected', refusal } });
      const values: unknown[] = [];
      const text = async ({ value }: InputBoxOptions) => {
        values.push(value);
        return undefined;
      };
      await edit(task, { ...picks, one: async () => undefined, text } as Picks);
      assert.deepEqual(values, [proposed]);
    }
  });

  it('changes nothing where the user leaves it, and nothing by itself', async () => {
    const task = await rejectedImport('缺少参数“fileName”');
    await answering(edit(task), 'cancel');
    assert.equal(kept.datasets.overrides(dataset()), undefined);
    assert.deepEqual(said, []);
  });

  it('offers every part where the rejection names nothing, or nothing that is still missing', async () => {
    const task = await rejectedImport('internal error');
    assert.ok((await offered(task)).includes('Status Check Path'));
    const named = await rejectedImport('缺少参数“fileName”');
    await kept.datasets.override(dataset(), ['fileTask', 'fields', 'fileName'], 'x');
    assert.ok((await offered(named)).includes("Form Field 'fileName'"));
  });

  it('changes nothing, and offers every part, where the box is accepted as it was', async () => {
    assert.ok((await offered(await rejectedQuery('Which one?'))).includes('Status Check Path'));
    assert.equal(kept.datasets.overrides(dataset()), undefined);
    assert.deepEqual(said, []);
  });

  function dataset() {
    return kept.datasets.find('Manuals') ?? assert.fail('there is no dataset');
  }

  /** The labels of the list that comes, with every box accepted as it was. */
  async function offered(key: number): Promise<readonly string[]> {
    const labels: string[] = [];
    const one = async (items: readonly QuickPickItem[]) => {
      labels.push(...items.map(({ label }) => label));
    };
    const text = async ({ value }: InputBoxOptions) => (value?.endsWith('""}') ? undefined : value);
    await edit(key, { ...picks, one, oneOrTyped: async () => undefined, text } as Picks);
    return labels;
  }

  async function edit(key: number, shown: Picks = picks): Promise<void> {
    const done = async (words: string, ...actions: Action[]) => {
      said.push({ words, actions: actions.map(({ label }) => label) });
    };
    const messages = { done } as unknown as Messages;
    await editRequest(
      { ...parts, datasets: kept.datasets, list: own.list, messages, picks: shown },
      clicked({ taskKey: key }),
    );
  }

  function rejectedImport(message: string, lastResponse?: string): Promise<number> {
    const refusal = { by: 'envelope', status: 200, code: '400', message } as const;
    const source = fileSource('notes.txt', 5);
    return added({
      ...answered({ dataset: 'Manuals', begun: '{}' }),
      source,
      phase: { kind: 'rejected', refusal },
      lastResponse,
    });
  }

  function rejectedQuery(message: string): Promise<number> {
    const refusal = { by: 'envelope', status: 200, code: '400', message } as const;
    const begun = answered({ dataset: 'Manuals', begun: '{"taskId":"t-1"}' });
    return added({ ...begun, lastQueryError: { kind: 'rejected', refusal } });
  }

  async function added(task: NewTask): Promise<number> {
    const [{ key } = assert.fail()] = await own.list.add([task]);
    return key;
  }
});
