import assert from 'node:assert/strict';
import { ConfigurationTarget, workspace } from 'vscode';
import {
  concurrentImports,
  duplicates,
  fileExtensions,
  fileRules,
  httpSettings,
  maxFileBytes,
  sandboxStartsAutomatically,
  unsavedFiles,
  userDatasets,
} from '../../../../src/editor/platform/settings';
import { activated, type Engine } from '../../activated';
import { untilEvent } from '../../settled';
import { setUserSetting } from '../../userSettings';
import { WorkspaceFiles } from '../../workspaceFiles';

const ours = { name: 'Ours', baseUrl: 'https://ours.example' };
const NAMES = [
  ...['datasets', 'fileExtensions', 'maxFileSizeMB', 'duplicates', 'concurrentImports'].map(
    (name) => `datasetImport.${name}`,
  ),
  'http.noProxy',
  'http.proxy',
  'http.proxyStrictSSL',
  'http.proxySupport',
];
const theirs = { name: 'Ours', baseUrl: 'https://theirs.example' };

describe('The settings', () => {
  let engine: Engine;

  before(async () => {
    engine = await activated();
  });

  afterEach(async () => {
    for (const name of NAMES) await setUserSetting(name, undefined);
  });

  it('have the values that the user sets', async () => {
    await setUserSetting('datasetImport.fileExtensions', ['.abc', '.XYZ']);
    await setUserSetting('datasetImport.maxFileSizeMB', 0.5);
    await setUserSetting('datasetImport.duplicates', 'skip');
    assert.deepEqual(
      [fileExtensions(), fileRules().endings, maxFileBytes(), duplicates()],
      [['.abc', '.XYZ'], ['.abc', '.XYZ'], 512 * 1024, 'skip'],
    );
    await setUserSetting('datasetImport.maxFileSizeMB', 0);
    assert.equal(maxFileBytes(), Number.POSITIVE_INFINITY);
  });

  it("fall back to their default values if the user's values are invalid", async () => {
    const usual = values();
    for (const [name, value] of [
      ['fileExtensions', '.txt'],
      ['fileExtensions', ['.txt', 7]],
      ['maxFileSizeMB', -1],
      ['maxFileSizeMB', '5'],
      ['duplicates', 'never'],
      ['concurrentImports', 99],
    ] as const) {
      await setUserSetting(`datasetImport.${name}`, value);
      assert.deepEqual(values(), usual, `${name}: ${JSON.stringify(value)}`);
    }
  });

  it("include VS Code's proxy settings", async () => {
    assert.deepEqual(proxySettings(), [undefined, undefined, undefined, true, true]);
    await setUserSetting('http.noProxy', ['intern.example', '10.0.0.0/8']);
    await setUserSetting('http.proxy', 'http://proxy.example:3128');
    await setUserSetting('http.proxyStrictSSL', false);
    assert.deepEqual(proxySettings(), [
      'http://proxy.example:3128',
      'intern.example,10.0.0.0/8',
      undefined,
      false,
      true,
    ]);
    await setUserSetting('http.noProxy', 'intern.example');
    await setUserSetting('http.proxySupport', 'off');
    assert.deepEqual(proxySettings().slice(0, 2), ['', 'intern.example']);
  });

  function protectedValues() {
    const usable = engine.datasets.all.map(({ name, baseUrl }) => [name, baseUrl.href]);
    const limits = [maxFileBytes(), concurrentImports(), httpSettings().timeOuts];
    return [userDatasets.read(), usable, sandboxStartsAutomatically(), unsavedFiles(), duplicates(), ...limits];
  }

  it('of a workspace can control which files are found, but not the datasets or anything that protects the user', async () => {
    const careful = { ...fileRules(), exclude: ['x'] };
    await setUserSetting('datasetImport.datasets', [ours]);
    const before = protectedValues();
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
      assert.deepEqual(protectedValues(), before);
    });
    const write = workspace
      .getConfiguration('datasetImport')
      .update('datasets', [theirs], ConfigurationTarget.Workspace);
    await assert.rejects(async () => await write);
  });
});

function values() {
  return [fileExtensions(), fileRules(), maxFileBytes(), duplicates(), concurrentImports()];
}

function proxySettings() {
  const { proxy, noProxy, proxyAuthorization, proxyStrictTls, systemCertificates } = httpSettings();
  return [proxy, noProxy, proxyAuthorization, proxyStrictTls, systemCertificates];
}

/** Writes a workspace settings file, like one in a cloned repository, and deletes it after the check. */
async function withWorkspaceSettings(settings: Readonly<Record<string, unknown>>, check: () => void): Promise<void> {
  const files = new WorkspaceFiles('.vscode');
  const marker = 'editor.rulers';
  // VS Code has read the file once it reports this setting's value.
  const rulers = [42];
  const isRead = () =>
    JSON.stringify(workspace.getConfiguration().inspect(marker)?.workspaceValue) === JSON.stringify(rulers);
  const written = untilEvent(workspace.onDidChangeConfiguration, isRead);
  files.write('settings.json', JSON.stringify({ ...settings, [marker]: rulers }));
  await written;
  try {
    check();
  } finally {
    const gone = untilEvent(workspace.onDidChangeConfiguration, () => !isRead());
    files.remove();
    await gone;
  }
}
