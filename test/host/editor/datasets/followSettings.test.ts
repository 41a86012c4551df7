import assert from 'node:assert/strict';
import { commands, type Disposable, type LogOutputChannel } from 'vscode';
import { followSettings } from '../../../../src/editor/datasets/followSettings';
import { Messages } from '../../../../src/editor/platform/messages';
import { AccessKeys } from '../../../../src/editor/services/accessKeys';
import { Datasets } from '../../../../src/editor/services/datasets';
import { MemoryMemento, MemorySecrets } from '../../memoryStorage';
import { setUserSetting } from '../../userSettings';

const good = { name: 'Good', baseUrl: 'https://good.example' };
const bad = { name: 'Bad', baseUrl: 'http://bad.example' };

describe('Following the settings', () => {
  const warnings: string[] = [];
  const log = { warn: (words: string) => warnings.push(words), error: () => {}, info: () => {} };
  let parts: Disposable[];
  let datasets: Datasets;

  beforeEach(() => {
    warnings.splice(0);
    const keys = new AccessKeys(new MemorySecrets());
    datasets = new Datasets(keys, new MemoryMemento());
    parts = [keys, datasets, followSettings(datasets, new Messages(log as unknown as LogOutputChannel))];
  });

  afterEach(async () => {
    for (const part of parts.toReversed()) part.dispose();
    await setUserSetting('datasetImport.datasets', undefined);
    await commands.executeCommand('notifications.clearAll');
  });

  it('warns of what cannot be used, once for as long as it stays so', async () => {
    await put([good]);
    assert.deepEqual(warnings, []);
    await put([good, bad]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /'Bad'.*https:\/\//);
    await put([good, bad, { name: 'More', baseUrl: 'https://more.example' }]);
    assert.equal(warnings.length, 1);
  });

  it('warns again where it is broken again', async () => {
    await put([bad]);
    await put([good]);
    await put([bad]);
    assert.equal(warnings.length, 2);
  });

  it('says nothing more once disposed of', async () => {
    for (const part of parts.toReversed()) part.dispose();
    await put([bad]);
    assert.deepEqual(warnings, []);
  });
});

function put(setting: unknown): Promise<void> {
  return setUserSetting('datasetImport.datasets', setting);
}
