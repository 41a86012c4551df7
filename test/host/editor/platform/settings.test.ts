import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationTarget, workspace } from 'vscode';
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
import { activated, type Engine } from '../../activated';
import { untilEvent } from '../../settled';
import { setUserSetting } from '../../userSettings';

const ours = { name: 'Ours', baseUrl: 'https://ours.example' };
const theirs = { name: 'Ours', baseUrl: 'https://theirs.example' };

describe('The settings', () => {
  let engine: Engine;

  before(async () => {
    engine = await activated();
  });

  afterEach(async () => {
    for (const name of ['datasets', 'fileExtensions']) await setUserSetting(`datasetImport.${name}`, undefined);
  });

  it('are those of the user, or else the usual ones', async () => {
    assert.ok(fileExtensions().includes('.txt') && fileExtensions().includes('.jsonl'));
    await setUserSetting('datasetImport.fileExtensions', ['.abc', '.XYZ']);
    assert.deepEqual(fileExtensions(), ['.abc', '.XYZ']);
    assert.deepEqual(fileRules().endings, ['.abc', '.XYZ']);
  });

  it('that guard the user, and the datasets, are not for a workspace to change; which files it offers are', async () => {
    const careful = { ...fileRules(), exclude: ['x'] };
    await setUserSetting('datasetImport.datasets', [ours]);
    const changes = {
      datasets: [theirs, { name: 'More', baseUrl: 'https://x.example' }],
      'sandbox.startAutomatically': true,
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
      assert.deepEqual(
        {
          datasets: datasetsSetting(),
          usable: engine.datasets.all.map(({ name, baseUrl }) => [name, baseUrl.href]),
          sandboxStarts: sandboxStartsAutomatically(),
          maxFileBytes: maxFileBytes(),
          unsavedFiles: unsavedFiles(),
          duplicates: duplicates(),
          concurrentImports: concurrentImports(),
          timeOuts: httpSettings().timeOuts,
        },
        {
          datasets: [ours],
          usable: [['Ours', 'https://ours.example/']],
          sandboxStarts: false,
          maxFileBytes: 100 * 1024 * 1024,
          unsavedFiles: 'ask',
          duplicates: 'ask',
          concurrentImports: 8,
          timeOuts: { connectMs: 10_000, idleMs: 60_000, responseMs: 300_000, queryMs: 30_000 },
        },
      );
    });
    const write = workspace
      .getConfiguration('datasetImport')
      .update('datasets', [theirs], ConfigurationTarget.Workspace);
    await assert.rejects(async () => await write);
  });
});

/** Puts settings into the workspace's own file, as a repository could, waits until VS Code has read them, and undoes it. */
async function withWorkspaceSettings(settings: Readonly<Record<string, unknown>>, check: () => void): Promise<void> {
  const [root] = workspace.workspaceFolders ?? [];
  assert.ok(root);
  const folder = join(root.uri.fsPath, '.vscode');
  const marker = 'editor.rulers';
  mkdirSync(folder, { recursive: true });
  // Shows that VS Code has read them.
  const rulers = [42];
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
