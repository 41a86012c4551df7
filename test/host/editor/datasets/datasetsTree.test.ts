import assert from 'node:assert/strict';
import { commands, type LogOutputChannel, type TreeItem } from 'vscode';
import type { Datasets } from '../../../../src/editor/datasets/datasets';
import {
  type DatasetsRow,
  DatasetsTree,
  dropTarget,
  followSettings,
} from '../../../../src/editor/datasets/datasetsTree';
import { Messages } from '../../../../src/editor/platform/messages';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';

const manuals = { name: 'Manuals', baseUrl: 'https://manuals.example' };
const logs = { name: 'Logs', baseUrl: 'https://logs.example/api', contract: { fileTask: { filePart: 'doc' } } };
const invalid = { ...manuals, contract: { fileTask: { taskId: 'ref' } } };

describe('The Datasets view', () => {
  let own: OwnDatasets;
  let datasets: Datasets;
  let tree: DatasetsTree;

  beforeEach(() => {
    own = ownDatasets();
    ({ datasets } = own);
    tree = new DatasetsTree(datasets, own.keys);
  });

  afterEach(() => {
    for (const part of [tree, own]) part.dispose();
  });

  it("shows each dataset's host, settings and webhook, but never its access key", async () => {
    own.setting.set([{ ...manuals, contract: { queryTask: { statusMeanings: { OK: 'succeeded' } } } }, logs, 7]);
    const dataset = datasets.find('Logs') ?? assert.fail();
    await datasets.setDefault(dataset);
    await own.keys.set(dataset, 'secret-key-1');
    await datasets.setWebhook(dataset, { url: 'https://hooks.example/x', isVerified: true });
    const rows = await tree.getChildren();
    const items = await itemsOf(rows);
    const shown = items.map(({ label, description, contextValue }) => [label, description, contextValue]);
    assert.deepEqual(shown, [
      ['Manuals', 'no access key · manuals.example', 'dataset'],
      ['Logs', 'default · logs.example', 'dataset'],
      ['#3', 'cannot be used', undefined],
    ]);
    const details = await itemsOf(await tree.getChildren(rows[1]));
    const parts = details.map(({ label, description }) => [label, description]);
    assert.deepEqual(parts, [
      ['Base URL', 'https://logs.example/api'],
      ['Access Key', 'set'],
      ['Request', 'edited'],
      ['Responses', 'recognized automatically'],
      ['Webhook', 'https://hooks.example/x'],
    ]);
    assert.ok(!JSON.stringify([items, details]).includes('secret-key-1'));
    const [, , request, responses] = await itemsOf(await tree.getChildren(rows[0]));
    assert.deepEqual([request?.description, responses?.description], ['default', 'mapped']);
  });

  it('marks a dataset with an invalid contract as unusable, and does not accept files that are dropped on that dataset', async () => {
    own.setting.set([invalid]);
    const rows = await tree.getChildren();
    const items = await itemsOf(rows);
    const shown = items.map(({ label, description }) => [label, description]);
    assert.deepEqual(shown, [['Manuals', 'cannot be used']]);
    assert.match(String(items[0]?.tooltip), /'Manuals'.*contract\.fileTask\.taskId/);
    assert.throws(() => dropTarget(rows[0] ?? assert.fail()), /'Manuals'.*contract\.fileTask\.taskId/);
  });

  function itemsOf(rows: readonly DatasetsRow[]): Promise<TreeItem[]> {
    return Promise.all(rows.map((row) => tree.getTreeItem(row)));
  }
});

describe('A dataset in the settings', () => {
  afterEach(() => commands.executeCommand('notifications.clearAll'));

  it('triggers one warning each time it becomes invalid', () => {
    const warnings: string[] = [];
    const log = { warn: (text: string) => warnings.push(text) } as unknown as LogOutputChannel;
    const own = ownDatasets([manuals]);
    const following = followSettings(own.datasets, new Messages(log));
    assert.deepEqual(warnings, []);
    own.setting.set([invalid]);
    own.setting.set([invalid, logs]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /'Manuals'.*contract\.fileTask\.taskId/);
    own.setting.set([manuals]);
    own.setting.set([invalid]);
    assert.equal(warnings.length, 2);
    for (const part of [following, own]) part.dispose();
  });
});
