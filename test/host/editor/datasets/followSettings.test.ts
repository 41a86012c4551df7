import assert from 'node:assert/strict';
import { commands, type Disposable, type LogOutputChannel } from 'vscode';
import { followSettings } from '../../../../src/editor/datasets/followSettings';
import { Messages } from '../../../../src/editor/platform/messages';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';

const good = { name: 'Good', baseUrl: 'https://good.example' };
const bad = { name: 'Bad', baseUrl: 'http://bad.example' };

describe('The datasets setting', () => {
  const warnings: string[] = [];
  const log = { warn: (words: string) => warnings.push(words), error: () => {}, info: () => {} };
  let parts: Disposable[];
  let kept: OwnDatasets;

  beforeEach(() => {
    warnings.splice(0);
    kept = ownDatasets();
    parts = [kept, followSettings(kept.datasets, new Messages(log as unknown as LogOutputChannel))];
  });

  afterEach(async () => {
    for (const part of parts.toReversed()) part.dispose();
    await commands.executeCommand('notifications.clearAll');
  });

  it('causes only one warning while the same dataset is invalid', () => {
    kept.setting.set([good]);
    assert.deepEqual(warnings, []);
    kept.setting.set([good, bad]);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /'Bad'.*https:\/\//);
    kept.setting.set([good, bad, { name: 'More', baseUrl: 'https://more.example' }]);
    assert.equal(warnings.length, 1);
  });

  it('causes another warning if a dataset becomes invalid again', () => {
    kept.setting.set([bad]);
    kept.setting.set([good]);
    kept.setting.set([bad]);
    assert.equal(warnings.length, 2);
  });

  it('causes no warning after disposal', () => {
    for (const part of parts.toReversed()) part.dispose();
    kept.setting.set([bad]);
    assert.deepEqual(warnings, []);
  });
});
