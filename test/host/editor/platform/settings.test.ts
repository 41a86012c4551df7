import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationTarget, commands, workspace } from 'vscode';
import {
  concurrentImports,
  datasetsSetting,
  duplicates,
  fileExtensions,
  fileRules,
  httpSettings,
  maxFileBytes,
  sandboxStartsAutomatically,
  unsavedFiles,
} from '../../../../src/editor/platform/settings';
import { activated, type Parts } from '../../activated';
import { untilEvent } from '../../settled';
import { setUserSetting } from '../../userSettings';

const ownTask = { name: 'Ours', baseUrl: 'https://ours.example' };
/** How often a workspace's settings were written: the marker that shows that VS Code has read them. */
let markers = 0;
const theirs = { name: 'Ours', baseUrl: 'https://theirs.example' };

describe('The settings', () => {
  let parts: Parts;

  before(async () => {
    parts = await activated();
  });

  afterEach(async () => {
    for (const name of ['datasets', 'fileExtensions']) await setUserSetting(`datasetImport.${name}`, undefined);
  });

  describe('for datasets', () => {
    it('are read from the user alone: a workspace can neither add nor redirect one', async () => {
      await setUserSetting('datasetImport.datasets', [ownTask]);
      await withWorkspaceSettings(
        { 'datasetImport.datasets': [theirs, { name: 'More', baseUrl: 'https://x.example' }] },
        () => {
          assert.deepEqual(datasetsSetting(), [ownTask]);
          assert.deepEqual(
            parts.datasets.all.map(({ name, baseUrl }) => [name, baseUrl.href]),
            [['Ours', 'https://ours.example/']],
          );
        },
      );
      const write = workspace
        .getConfiguration('datasetImport')
        .update('datasets', [theirs], ConfigurationTarget.Workspace);
      await assert.rejects(async () => await write);
    });

    it('give none where only the workspace has some', async () => {
      await withWorkspaceSettings({ 'datasetImport.datasets': [theirs] }, () => {
        assert.equal(datasetsSetting(), undefined);
        assert.deepEqual(parts.datasets.all, []);
      });
    });

    it('keep what can be used, and name what cannot', async () => {
      await setUserSetting('datasetImport.datasets', [
        { name: 'Plain', baseUrl: 'http://plain.example' },
        ownTask,
        { name: 'Loopback', baseUrl: 'http://127.0.0.1:9' },
        { name: 'Allowed', baseUrl: 'http://plain.example', allowHttp: true },
        7,
      ]);
      await untilEvent(parts.datasets.onDidChange, () => parts.datasets.all.length === 3);
      assert.deepEqual(
        parts.datasets.all.map(({ name }) => name),
        ['Ours', 'Loopback', 'Allowed'],
      );
      assert.deepEqual(
        parts.datasets.faults.map(({ dataset }) => dataset),
        ['Plain', '#5'],
      );
      await commands.executeCommand('notifications.clearAll');
    });
  });

  it('start the sandbox by themselves only where the user says so, not the workspace', async () => {
    await withWorkspaceSettings({ 'datasetImport.sandbox.startAutomatically': true }, () => {
      assert.equal(sandboxStartsAutomatically(), false);
    });
  });

  it('are those of the user, or else the usual ones', async () => {
    assert.ok(fileExtensions().includes('.txt') && fileExtensions().includes('.jsonl'));
    await setUserSetting('datasetImport.fileExtensions', ['.abc', '.XYZ']);
    assert.deepEqual(fileExtensions(), ['.abc', '.XYZ']);
    assert.deepEqual(fileRules().endings, ['.abc', '.XYZ']);
  });

  const read = () => ({
    maxFileBytes: maxFileBytes(),
    unsavedFiles: unsavedFiles(),
    duplicates: duplicates(),
    concurrentImports: concurrentImports(),
    timeOuts: httpSettings().timeOuts,
  });
  const usual = {
    maxFileBytes: 100 * 1024 * 1024,
    unsavedFiles: 'ask',
    duplicates: 'ask',
    concurrentImports: 8,
    timeOuts: { connectMs: 10_000, idleMs: 60_000, responseMs: 300_000, queryMs: 30_000 },
  };

  it('that guard the user are not for a workspace to change; which files it offers are', async () => {
    const careful = { ...fileRules(), exclude: ['x'] };
    const changes = {
      sensitiveFiles: [],
      maxFileSizeMB: 0,
      duplicates: 'import',
      concurrentImports: 16,
      'timeouts.connectSeconds': 1,
      'timeouts.sendingSeconds': 1,
      'timeouts.responseSeconds': 1,
      'folders.exclude': ['x'],
    };
    const named = Object.entries(changes).map(([name, value]) => [`datasetImport.${name}`, value]);
    await withWorkspaceSettings(Object.fromEntries(named), () => {
      assert.deepEqual(fileRules(), careful);
      assert.deepEqual(read(), usual);
    });
  });
});

/** Puts settings into the workspace's own file, as a repository could, waits until VS Code has read them, and undoes it. */
async function withWorkspaceSettings(settings: Readonly<Record<string, unknown>>, check: () => void): Promise<void> {
  const [root] = workspace.workspaceFolders ?? [];
  assert.ok(root);
  const folder = join(root.uri.fsPath, '.vscode');
  const marker = 'editor.rulers';
  mkdirSync(folder, { recursive: true });
  const rulers = [++markers];
  const isRead = () =>
    JSON.stringify(workspace.getConfiguration().inspect(marker)?.workspaceValue) === JSON.stringify(rulers);
  const written = untilEvent(workspace.onDidChangeConfiguration, isRead);
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...settings, [marker]: rulers }));
  await written;
  try {
    check();
  } finally {
    const gone = untilEvent(workspace.onDidChangeConfiguration, () => !isRead());
    rmSync(folder, { recursive: true });
    await gone;
  }
}
