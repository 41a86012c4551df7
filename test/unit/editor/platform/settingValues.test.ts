import assert from 'node:assert/strict';
import manifest from '../../../../package.json';
import * as values from '../../../../src/editor/platform/settingValues';

const PREFIX = 'datasetImport.';

/** Defaults by the names of settings, without the prefix. */
const defaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.values(manifest.contributes.configuration).flatMap(({ properties }) =>
    Object.entries<{ readonly default?: unknown }>(properties).map(([name, setting]) => [
      name.slice(PREFIX.length),
      setting.default,
    ]),
  ),
);

/** A section in which this is set. */
function sectionOf(set: Readonly<Record<string, unknown>>): values.SettingsSection {
  return {
    get: (name) => (Object.hasOwn(set, name) ? set[name] : defaults[name]),
    inspect: (name) => ({ defaultValue: defaults[name] }),
  };
}

function read(set: Readonly<Record<string, unknown>>, http: Readonly<Record<string, unknown>> = {}) {
  const section = sectionOf(set);
  const { timeOuts, ...proxy } = values.httpSettings(section, sectionOf(http));
  return {
    rules: values.fileRules(section, section, true),
    maxFileBytes: values.maxFileBytes(section),
    unsavedFiles: values.unsavedFiles(section),
    duplicates: values.duplicates(section),
    concurrentImports: values.concurrentImports(section),
    timeOuts,
    proxy,
  };
}

const lists = ['folders.include', 'folders.exclude', 'sensitiveFiles'];
const single = [
  ...['folders.useIgnoreFiles', 'maxFileSizeMB', 'unsavedFiles', 'duplicates', 'concurrentImports'],
  ...['timeouts.connectSeconds', 'timeouts.sendingSeconds', 'timeouts.responseSeconds'],
];
const each = (names: readonly string[], value: unknown) => Object.fromEntries(names.map((name) => [name, value]));

describe('The values of settings', () => {
  const usual = read({});

  it('are careful where nothing is set', () => {
    const { sensitive, endings, ...rest } = usual.rules;
    assert.deepEqual(rest, { include: [], exclude: ['**/node_modules/**'], useIgnoreFiles: true });
    assert.ok(endings.includes('.txt') && endings.includes('.jsonl'));
    assert.ok(sensitive.includes('.env') && sensitive.includes('.ssh/**'));
    assert.deepEqual(
      { ...usual, rules: undefined, proxy: undefined },
      {
        ...{ rules: undefined, proxy: undefined },
        maxFileBytes: 100 * 1024 * 1024,
        ...{ unsavedFiles: 'ask', duplicates: 'ask', concurrentImports: 8 },
        timeOuts: { connectMs: 10_000, idleMs: 60_000, responseMs: 300_000, queryMs: 30_000 },
      },
    );
  });

  it('skip ignore files in a workspace that is not trusted', () => {
    const section = sectionOf({ 'folders.useIgnoreFiles': true });
    const rules = values.fileRules(section, section, false);
    assert.deepEqual(rules, { ...usual.rules, useIgnoreFiles: false });
  });

  it('are as the user wants them', () => {
    const wanted = read({
      'folders.include': ['docs/**'],
      'folders.exclude': [],
      'folders.useIgnoreFiles': false,
      ...{ sensitiveFiles: ['*.secret'], maxFileSizeMB: 0.5, unsavedFiles: 'asOnDisk', duplicates: 'import' },
      concurrentImports: 16,
      'timeouts.connectSeconds': 1.5,
      'timeouts.sendingSeconds': 2,
      'timeouts.responseSeconds': 3,
    });
    const { endings } = usual.rules;
    assert.deepEqual(wanted, {
      rules: { include: ['docs/**'], endings, exclude: [], useIgnoreFiles: false, sensitive: ['*.secret'] },
      ...{ maxFileBytes: 512 * 1024, unsavedFiles: 'asOnDisk', duplicates: 'import', concurrentImports: 16 },
      timeOuts: { connectMs: 1500, idleMs: 2000, responseMs: 3000, queryMs: 3000 },
      proxy: usual.proxy,
    });
    assert.equal(read({ unsavedFiles: 'save' }).unsavedFiles, 'save');
    assert.equal(read({ maxFileSizeMB: 0 }).maxFileBytes, Number.POSITIVE_INFINITY);
  });

  it('keep what is a text of a list that has other things, and none of what is no list of file extensions', () => {
    assert.deepEqual(read({ sensitiveFiles: ['*.a', 5, null, '*.b'] }).rules.sensitive, ['*.a', '*.b']);
    assert.deepEqual(read({ fileExtensions: ['.abc', 5, null, '.XYZ'] }).rules.endings, ['.abc', '.XYZ']);
    assert.deepEqual(read({ fileExtensions: 'txt' }).rules.endings, []);
  });

  for (const nonsense of ['5', -1, null, [7], {}, 1e300, 1.5e-320]) {
    it(`are the usual ones where they are nonsense such as ${JSON.stringify(nonsense)}`, () => {
      const ofLists = Array.isArray(nonsense) ? {} : nonsense;
      const got = read({ ...each(single, nonsense), ...each(lists, ofLists) });
      const isSize = typeof nonsense === 'number' && nonsense >= 0;
      assert.deepEqual({ ...got, ...(isSize ? { maxFileBytes: usual.maxFileBytes } : {}) }, usual);
    });
  }

  it("are VS Code's own for the network, one by one", () => {
    assert.deepEqual(usual.proxy, {
      ...{ proxy: undefined, noProxy: undefined, proxyAuthorization: undefined },
      ...{ proxyStrictTls: true, systemCertificates: true },
    });
    const set = {
      ...{ proxy: 'http://proxy.example:3128', noProxy: ['intern.example', '10.0.0.0/8'] },
      ...{ proxyStrictSSL: false, proxyAuthorization: 'Basic eDp5', systemCertificates: false },
    };
    assert.deepEqual(read({}, set).proxy, {
      ...{ proxy: 'http://proxy.example:3128', noProxy: 'intern.example,10.0.0.0/8' },
      ...{ proxyAuthorization: 'Basic eDp5', proxyStrictTls: false, systemCertificates: false },
    });
    assert.equal(read({}, { ...set, proxySupport: 'off' }).proxy.proxy, '');
  });

  it('take a text for the list of hosts that it stands for', () => {
    assert.equal(read({}, { noProxy: 'intern.example,10.0.0.0/8' }).proxy.noProxy, 'intern.example,10.0.0.0/8');
    assert.equal(read({}, { noProxy: ['intern.example', 7, null, ['x']] }).proxy.noProxy, 'intern.example');
  });

  for (const nonsense of [7, null, {}, [7, null], true, '']) {
    it(`have no proxy where its settings are nonsense such as ${JSON.stringify(nonsense)}`, () => {
      const http = each(['proxy', 'noProxy', 'proxyAuthorization'], nonsense);
      assert.deepEqual(read({}, http).proxy, usual.proxy);
    });
  }
});
