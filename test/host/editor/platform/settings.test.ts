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
import { setUserSetting } from '../../userSettings';

const ownTask = { name: 'Ours', baseUrl: 'https://ours.example' };
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
      const changed = untilDatasetsChange(parts);
      await setUserSetting('datasetImport.datasets', [
        { name: 'Plain', baseUrl: 'http://plain.example' },
        ownTask,
        { name: 'Loopback', baseUrl: 'http://127.0.0.1:9' },
        { name: 'Allowed', baseUrl: 'http://plain.example', allowHttp: true },
        7,
      ]);
      await changed;
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

  it('give the endings of text files, those of the user where there are some, and pass over what is none', async () => {
    assert.ok(fileExtensions().includes('.txt') && fileExtensions().includes('.jsonl'));
    await setUserSetting('datasetImport.fileExtensions', ['.abc', 5, null, '.XYZ']);
    assert.deepEqual(fileExtensions(), ['.abc', '.XYZ']);
    await setUserSetting('datasetImport.fileExtensions', 'txt');
    assert.deepEqual(fileExtensions(), []);
  });

  const seconds = ['connectSeconds', 'sendingSeconds', 'responseSeconds'].map((name) => `timeouts.${name}`);
  const lists = ['folders.include', 'folders.exclude', 'sensitiveFiles'];
  const single = ['folders.useIgnoreFiles', 'maxFileSizeMB', 'unsavedFiles', 'duplicates', 'concurrentImports'];

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

  const takeAway = async () => {
    for (const name of [...lists, ...single, ...seconds]) await setUserSetting(`datasetImport.${name}`, undefined);
  };

  describe('for files and imports', () => {
    afterEach(takeAway);

    it('are careful where nothing is set', () => {
      const { sensitive, endings, ...rest } = fileRules();
      assert.deepEqual(rest, { include: [], exclude: ['**/node_modules/**'], useIgnoreFiles: true });
      assert.deepEqual(endings, fileExtensions());
      assert.ok(sensitive.includes('.env') && sensitive.includes('.ssh/**'));
      assert.deepEqual(read(), usual);
    });

    it('are as the user wants them', async () => {
      const wanted = {
        'folders.include': ['docs/**'],
        'folders.exclude': [],
        'folders.useIgnoreFiles': false,
        sensitiveFiles: ['*.secret'],
        maxFileSizeMB: 0.5,
        unsavedFiles: 'asOnDisk',
        duplicates: 'import',
        concurrentImports: 16,
        'timeouts.connectSeconds': 1.5,
        'timeouts.sendingSeconds': 2,
        'timeouts.responseSeconds': 3,
      };
      for (const [name, value] of Object.entries(wanted)) await setUserSetting(`datasetImport.${name}`, value);
      assert.deepEqual(fileRules(), {
        include: ['docs/**'],
        endings: fileExtensions(),
        exclude: [],
        useIgnoreFiles: false,
        sensitive: ['*.secret'],
      });
      assert.deepEqual(read(), {
        maxFileBytes: 512 * 1024,
        unsavedFiles: 'asOnDisk',
        duplicates: 'import',
        concurrentImports: 16,
        timeOuts: { connectMs: 1500, idleMs: 2000, responseMs: 3000, queryMs: 3000 },
      });
      await setUserSetting('datasetImport.unsavedFiles', 'save');
      await setUserSetting('datasetImport.maxFileSizeMB', 0);
      assert.equal(unsavedFiles(), 'save');
      assert.equal(maxFileBytes(), Number.POSITIVE_INFINITY);
    });

    it('keep the good globs of a list that has others', async () => {
      await setUserSetting('datasetImport.sensitiveFiles', ['*.a', 5, null, '*.b']);
      assert.deepEqual(fileRules().sensitive, ['*.a', '*.b']);
    });

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

  describe('for files and imports that are nonsense', () => {
    let careful: ReturnType<typeof fileRules>;

    before(() => {
      careful = fileRules();
    });

    // Not after each: a test writes all of them, whatever the one before has left.
    after(takeAway);

    for (const nonsense of ['5', -1, null, [7], {}, 1e300, 1.5e-320]) {
      it(`leave the usual ones, such as ${JSON.stringify(nonsense)}`, async () => {
        for (const name of [...single, ...seconds]) await setUserSetting(`datasetImport.${name}`, nonsense);
        for (const name of lists)
          await setUserSetting(`datasetImport.${name}`, Array.isArray(nonsense) ? {} : nonsense);
        const { maxFileBytes: limit, ...rest } = read();
        const { maxFileBytes: usualLimit, ...usualRest } = usual;
        if (typeof nonsense !== 'number' || nonsense < 0) assert.equal(limit, usualLimit);
        assert.deepEqual(fileRules(), careful);
        assert.deepEqual(rest, usualRest);
      });
    }
  });

  describe("for the network are VS Code's own", () => {
    afterEach(async () => {
      for (const name of Object.keys(changes)) await setUserSetting(name, undefined);
    });

    const changes = {
      'http.proxy': 'http://proxy.example:3128',
      'http.noProxy': ['intern.example', '10.0.0.0/8'],
      'http.proxyStrictSSL': false,
      'http.proxyAuthorization': 'Basic eDp5',
      'http.systemCertificates': false,
    };

    it("leave the proxy to the environment, and check certificates with the system's, where nothing is set", () => {
      const { timeOuts, ...rest } = httpSettings();
      assert.deepEqual(rest, {
        proxy: undefined,
        noProxy: undefined,
        proxyAuthorization: undefined,
        proxyStrictTls: true,
        systemCertificates: true,
      });
      for (const ms of Object.values(timeOuts)) assert.ok(ms >= 1000 && ms <= 600_000);
    });

    it('are taken over one by one', async () => {
      for (const [name, value] of Object.entries(changes)) await setUserSetting(name, value);
      const { timeOuts: _, ...rest } = httpSettings();
      assert.deepEqual(rest, {
        proxy: 'http://proxy.example:3128',
        noProxy: 'intern.example,10.0.0.0/8',
        proxyAuthorization: 'Basic eDp5',
        proxyStrictTls: false,
        systemCertificates: false,
      });
    });

    it('take a text for the list that it stands for', async () => {
      await setUserSetting('http.noProxy', 'intern.example,10.0.0.0/8');
      assert.equal(httpSettings().noProxy, 'intern.example,10.0.0.0/8');
      await setUserSetting('http.noProxy', ['intern.example', 7, null, ['x']]);
      assert.equal(httpSettings().noProxy, 'intern.example');
    });

    for (const nonsense of [7, null, {}, [7, null], true, '']) {
      it(`are as if nothing were set where they are nonsense such as ${JSON.stringify(nonsense)}`, async () => {
        for (const name of ['http.proxy', 'http.noProxy', 'http.proxyAuthorization'])
          await setUserSetting(name, nonsense);
        const { proxy, noProxy, proxyAuthorization } = httpSettings();
        assert.deepEqual([proxy, noProxy, proxyAuthorization], [undefined, undefined, undefined]);
      });
    }

    it("use no proxy at all, not even the environment's, where proxy support is off", async () => {
      await setUserSetting('http.proxy', 'http://proxy.example:3128');
      await setUserSetting('http.proxySupport', 'off');
      assert.equal(httpSettings().proxy, '');
      await setUserSetting('http.proxySupport', undefined);
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
  const rulers = [Date.now() % 1000];
  const isRead = () =>
    JSON.stringify(workspace.getConfiguration().inspect(marker)?.workspaceValue) === JSON.stringify(rulers);
  const written = untilConfiguration(isRead);
  writeFileSync(join(folder, 'settings.json'), JSON.stringify({ ...settings, [marker]: rulers }));
  await written;
  try {
    check();
  } finally {
    const gone = untilConfiguration(() => !isRead());
    rmSync(folder, { recursive: true });
    await gone;
  }
}

function untilConfiguration(fits: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = workspace.onDidChangeConfiguration(() => {
      if (!fits()) return;
      subscription.dispose();
      resolve();
    });
  });
}

function untilDatasetsChange({ datasets }: Parts): Promise<void> {
  return new Promise((resolve) => {
    const subscription = datasets.onDidChange(() => {
      subscription.dispose();
      resolve();
    });
  });
}
