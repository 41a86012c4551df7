import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from 'vscode';
import { COMMANDS } from '../../src/editor/commands';
import type { setContextKey } from '../../src/editor/platform/contextKeys';
import { DATASETS_VIEW, TASKS_VIEW } from '../../src/editor/shell';
import { groupItem, rowItem } from '../../src/editor/tasksView/treeItems';
import type { WhyWaits } from '../../src/editor/wording/causes';
import { STATES, type State } from '../../src/tasks/store/model';
import { activated, extension } from './activated';
import { OwnImportStore } from './ownImportStore';

interface Setting {
  readonly scope?: string;
  readonly markdownDescription?: string;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface Step {
  readonly media: { readonly svg: string };
  readonly completionEvents: readonly string[];
}

interface Item {
  readonly group?: string;
  readonly when?: string;
}

interface Manifest {
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly category?: string;
      readonly enablement?: string;
    }[];
    readonly menus: Readonly<Record<string, readonly (Item & { readonly command?: string })[]>>;
    readonly viewsContainers: { readonly activitybar: readonly { readonly id: string }[] };
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly viewsWelcome: readonly { readonly view: string; readonly contents: string; readonly when?: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly Step[] }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
  };
}

/** Commands that the palette always offers, because new users need them. */
const always = [
  'importToDataset',
  'importFiles',
  'importFolder',
  'addDataset',
  'openDatasetSettings',
  'importSamples',
  'showLog',
].map((name) => `datasetImport.${name}`);

/** Commands that no other command can undo. */
const destructive = ['stopTracking', 'removeFromList', 'clearSucceeded', 'forgetImportedFiles', 'removeDataset'].map(
  (name) => `datasetImport.${name}`,
);

describe('The manifest', () => {
  const { extensionPath } = extension();
  const text = readFileSync(join(extensionPath, 'package.json'), 'utf8');
  const manifest: Manifest = JSON.parse(text);
  const words: Record<string, string> = JSON.parse(readFileSync(join(extensionPath, 'package.nls.json'), 'utf8'));
  const { contributes } = manifest;
  const ids = contributes.commands.map(({ command }) => command);
  const entries = Object.entries(contributes.menus).flatMap(([menu, list]) =>
    list.map((entry) => ({ menu, ...entry })),
  );
  const items = entries.flatMap(({ command, ...entry }) => (command === undefined ? [] : [{ command, ...entry }]));

  const conditions = [
    ...contributes.commands.map(({ enablement }) => enablement),
    ...items.map(({ when }) => when),
  ].filter((condition) => condition !== undefined);
  const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));

  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);

  it('contributes exactly the commands that the code defines and registers', async () => {
    await activated();
    assert.deepEqual(
      Object.keys(COMMANDS)
        .map((name) => `datasetImport.${name}`)
        .toSorted(),
      ids.toSorted(),
    );
    const registered = (await commands.getCommands(true)).filter((id) => id.startsWith('datasetImport.'));
    const own = registered.filter((id) => !/^datasetImport\.(tasks|datasets|test)\./.test(id)); // VS Code also registers commands for each view
    assert.deepEqual(own.toSorted(), ids.toSorted());
  });

  it('contributes every command whose title the code uses in dialogs or on buttons', () => {
    const folder = join(extensionPath, 'src', 'editor');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const named = files.flatMap((file) =>
      [
        ...readFileSync(join(folder, file), 'utf8').matchAll(/(?:commandTitle|dialogTitle|commandAction)\('(\w+)'/g),
      ].map(([, name]) => `datasetImport.${name}`),
    );
    assert.notEqual(named.length, 0);
    const missing = named.filter((id) => !ids.includes(id));
    assert.deepEqual(missing, []);
  });

  it('has an English string for each of its localization keys, and no unused strings', () => {
    const asked = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...asked].toSorted(), Object.keys(words).toSorted());
    for (const [key, value] of Object.entries(words)) assert.notEqual(value.trim(), '', key);
  });

  it('gives every command the same category and at most one condition for appearing in the Command Palette', () => {
    for (const { command, category } of contributes.commands) assert.equal(category, 'Dataset Import', command);
    const ruled = items.filter(({ menu }) => menu === 'commandPalette').map(({ command }) => command);
    // The palette doesn't show disabled commands.
    const enabled = contributes.commands.filter(({ enablement }) => enablement !== undefined);
    assert.deepEqual([...ruled, ...enabled.map(({ command }) => command), ...always].toSorted(), ids.toSorted());
  });

  it('keeps destructive commands in a separate group at the end of each menu', () => {
    const kinds = (menu: string, isTasks: boolean) =>
      (contributes.menus[menu] ?? []).filter(({ when = '' }) => when.includes(TASKS_VIEW) === isTasks);
    const menus = ['view/title', 'view/item/context'].flatMap((menu) => [kinds(menu, true), kinds(menu, false)]);
    let count = 0;
    for (const menu of menus) {
      const all = new Set(menu.map(({ group = '' }) => group.split('@')[0] ?? ''));
      // Leave out the two groups that are shown as icons.
      const groups = [...all].filter((group) => group !== 'navigation' && group !== 'inline').toSorted();
      for (const { command = '', group = '' } of menu.filter((entry) => destructive.includes(entry.command ?? ''))) {
        const [name] = group.split('@');
        count += 1;
        assert.equal(name, groups.at(-1), command);
        for (const other of menu.filter((entry) => entry.group?.split('@')[0] === name))
          assert.ok(destructive.includes(other.command ?? ''), `${command} beside ${other.command}`);
      }
    }
    assert.notEqual(count, 0);
    const elsewhere = items.filter(({ menu }) => !['view/title', 'view/item/context', 'commandPalette'].includes(menu));
    for (const { command } of elsewhere) assert.ok(!destructive.includes(command), command);
  });

  it('uses only existing task states in its when clauses', () => {
    const asked = conditions.flatMap((when) =>
      [...when.matchAll(/datasetImport\.taskStates =~ \/([^/]*)\//g)].flatMap(([, some = '']) => some.split('|')),
    );
    assert.notEqual(asked.length, 0);
    const states: readonly string[] = STATES;
    for (const state of asked) assert.ok(states.includes(state), state);
  });

  it('uses only existing commands in its menus and welcome views', () => {
    for (const { menu, command } of items) assert.ok(ids.includes(command), `${menu}: ${command}`);
    const linked = Object.values(words).flatMap((value) => [...value.matchAll(/\]\(command:([^)?]+)/g)]);
    assert.notEqual(linked.length, 0);
    const ofVsCode = [`${TASKS_VIEW}.focus`, 'workbench.action.openWalkthrough'];
    for (const [, command = ''] of linked) assert.ok([...ids, ...ofVsCode].includes(command), command);
  });

  it('has one button in each welcome view, and links for all other actions', () => {
    for (const { contents } of contributes.viewsWelcome) {
      const lines = words[contents.slice(1, -1)]?.split('\n') ?? [];
      assert.equal(lines.filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line)).length, 1, contents);
    }
  });

  it('gives each walkthrough step a context key that completes the step, and an illustration in theme colors', () => {
    assert.equal(new Set(steps.map(({ media }) => media.svg)).size, steps.length);
    for (const { media, completionEvents } of steps) {
      for (const event of completionEvents) assert.match(event, /^onContext:(?:config\.)?datasetImport\./);
      const colors = [...readFileSync(join(extensionPath, media.svg), 'utf8').matchAll(/(?:fill|stroke)="([^"]+)"/g)];
      assert.notEqual(colors.length, 0);
      for (const [, color = ''] of colors) {
        assert.match(color, /^(?:var\(--vscode-.+\)|none)$/, media.svg);
        // High contrast themes don't define these colors, so the shapes would be black.
        assert.doesNotMatch(color, /var\(--vscode-(?:list|menu|input)-\w+\)/, media.svg);
      }
    }
  });

  it('defines exactly the two views that the code uses', () => {
    const containers = contributes.viewsContainers.activitybar.map(({ id }) => id);
    assert.deepEqual(containers, Object.keys(contributes.views));
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(views, [TASKS_VIEW, DATASETS_VIEW]);
    for (const { view } of contributes.viewsWelcome) assert.ok(views.includes(view), view);
  });

  it("makes VS Code ignore the extension's workspace settings in an untrusted workspace", () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const ofWorkspaces = settings.filter(([, { scope }]) => scope !== 'application').map(([name]) => name);
    // VS Code uses the list of restricted settings only if `supported` is 'limited'.
    assert.equal(supported, 'limited');
    assert.deepEqual(restrictedConfigurations.toSorted(), ofWorkspaces.toSorted());
  });

  it('does not offer to import generated documents', () => {
    const offers = items.filter(
      ({ menu, command }) => menu.startsWith('editor/') && command === 'datasetImport.importToDataset',
    );
    assert.equal(offers.length, 2);
    for (const { when } of offers)
      assert.match(when ?? '', /^resourceScheme =~ \/\^\(\?!dataset-import-\|output\$\)\/ && \(/);
  });

  it('offers to import a selection or a notebook cell from the palette, except in generated documents', () => {
    const [offer] = items.filter(
      ({ menu, command }) => menu === 'commandPalette' && command === 'datasetImport.importSelection',
    );
    const isOther = 'resourceScheme =~ /^(?!dataset-import-|output$)/';
    assert.equal(offer?.when, `(editorHasSelection || activeEditor == workbench.editor.notebook) && ${isOther}`);
  });

  it('uses exactly the context keys that the code sets', () => {
    const keys: Record<Parameters<typeof setContextKey>[0], true> = {
      fileExtensions: true,
      hasDatasets: true,
      hasNoDatasets: true,
      sandboxRunning: true,
      importing: true,
      tasksFiltered: true,
      hasNoTasks: true,
      taskStates: true,
      hasOwnImport: true,
    };
    const set = Object.keys(keys).map((name) => `datasetImport.${name}`);
    const schemes = ['file', 'untitled', 'output', 'dataset-import-preview'];
    const editors = ['.ipynb', 'workbench.editor.notebook'];
    const values = [TASKS_VIEW, DATASETS_VIEW, 'dataset', 'sandbox', ...schemes, ...editors];
    const builtIn = [
      'view',
      'viewItem',
      'resourceScheme',
      'resourceExtname',
      'explorerResourceIsFolder',
      'listMultiSelection',
      'editorHasSelection',
      'activeEditor',
      'config.datasetImport.datasets',
      'in',
      'false',
    ];
    const completions = steps.flatMap(({ completionEvents }) =>
      completionEvents.map((event) => event.split(':')[1] ?? ''),
    );
    const ofViews = contributes.viewsWelcome.flatMap(({ when }) => when ?? []);
    const asked = [...conditions, ...ofViews, ...completions].flatMap(
      (when) => when.replaceAll(/\/(?:[^/\\]|\\.)*\/[a-z]*/g, '').match(/[\w.-]+/g) ?? [],
    );
    const unknown = [...new Set(asked)].filter((name) => ![...set, ...values, ...builtIn].includes(name));
    assert.deepEqual(unknown, []);
    for (const name of set) assert.ok(asked.includes(name), `${name} is set and not asked for`);
  });

  it('uses exactly the context values that the code sets for rows', async () => {
    const has = new Set((await shownItems()).flatMap(({ contextValue }) => contextValue.split(';').slice(1, -1)));
    // The code sets this value, but no `when` condition checks it.
    has.delete('openSourceFile');
    const asked = new Set(
      entries.flatMap(({ when = '' }) =>
        [...when.matchAll(/\(\.\*;\)\?(?:(\w+)|\(([\w|]+)\));/g)].flatMap(
          ([, one, some]) => one ?? some?.split('|') ?? [],
        ),
      ),
    );
    assert.deepEqual([...asked].toSorted(), [...has].toSorted());
  });

  it('shows the applicable commands for each row state, and at most one of them as an icon', async () => {
    const menu = (contributes.menus['view/item/context'] ?? []).filter(({ when = '' }) => when.includes(TASKS_VIEW));
    const shownFor = (contextValue: string, isInline: boolean) =>
      menu.flatMap(({ command = '', when = '', group = '' }) => {
        const pattern = /viewItem =~ \/(.*)\/$/.exec(when)?.[1] ?? '';
        const isShown = new RegExp(pattern).test(contextValue) && group.startsWith('inline') === isInline;
        return isShown ? [command.replace('datasetImport.', '')] : [];
      });
    const shown: Partial<Record<State, string>> = {};
    for (const { state, why, contextValue } of await shownItems()) {
      const icons = shownFor(contextValue, true);
      assert.ok(icons.length <= 1, `${state}: ${icons}`);
      if (state !== undefined && why === undefined)
        shown[state] = [icons.join() || '-', ...shownFor(contextValue, false)].join(' ');
    }
    assert.deepEqual(shown, {
      failed: 'importAgain importAgain showDetails previewRequest openSourceFile copyTaskId removeFromList',
      noId: 'mapResponses mapResponses attachTaskId showDetails importAgain previewRequest openSourceFile removeFromList',
      notUploaded: 'importAgain importAgain showDetails previewRequest openSourceFile removeFromList',
      queued: 'cancelImport cancelImport showDetails previewRequest openSourceFile removeFromList',
      rejected:
        'importAgain setAccessKey importAgain editRequest showDetails previewRequest openSourceFile removeFromList',
      running:
        '- showDetails refreshStatus importAgain previewRequest openSourceFile copyTaskId stopTracking removeFromList',
      sending: 'cancelImport cancelImport showDetails previewRequest openSourceFile removeFromList',
      succeeded: '- showDetails importAgain previewRequest openSourceFile copyTaskId removeFromList',
      unconfirmed:
        'attachTaskId attachTaskId markAsUploaded importAgain showDetails previewRequest openSourceFile removeFromList',
      unknown:
        'mapStatuses mapStatuses mapResponses showDetails refreshStatus importAgain previewRequest openSourceFile copyTaskId stopTracking removeFromList',
      untracked: '- showDetails importAgain previewRequest openSourceFile copyTaskId removeFromList',
      uploaded: '- showDetails importAgain previewRequest openSourceFile removeFromList',
      waiting:
        '- showDetails refreshStatus importAgain previewRequest openSourceFile copyTaskId stopTracking removeFromList',
    });
  });

  it('groups its settings under titles, and describes each setting and choice', () => {
    const titles = contributes.configuration.map(({ title }) => words[title.slice(1, -1)]);
    assert.deepEqual(titles, ['Datasets', 'Files', 'Importing', 'Tasks', 'Sandbox']);
    for (const [name, { markdownDescription = '', enum: choices = [], markdownEnumDescriptions = [] }] of settings) {
      assert.match(words[markdownDescription.slice(1, -1)] ?? '', /^(?!Controls|Configures)[A-Z].+[.]$/, name);
      assert.equal(markdownEnumDescriptions.length, choices.length, name);
    }
  });
});

/** Items in the Tasks view: rows in each state and with each reason for waiting, and groups of rows. */
async function shownItems() {
  await using own = new OwnImportStore();
  const items: { state?: State; why?: WhyWaits | undefined; contextValue: string }[] = [];
  const pauses = ['busy', 'badKey', 'rejections'].map((reason): WhyWaits => ({ reason, untilMs: null }));
  for (const why of [undefined, ...pauses, { reason: 'noKey' } as const, { reason: 'removed' } as const])
    for (const state of STATES) {
      if (why === undefined) await own.inState(state);
      const row = await own.row(`${state}.txt`);
      const place = { nowMs: 0, why, folder: undefined, namesDataset: false, isInBatch: false };
      items.push({ state, why, contextValue: rowItem(row, place).contextValue ?? '' });
      const group = { by: 'state', value: state, counts: { [state]: 1 } } as const;
      const shown = { ...group, batch: undefined, isRepeated: false, destination: undefined, example: undefined };
      const context = { id: state, nowMs: 0, why, namesDataset: false, isFiltered: false };
      items.push({ why, contextValue: groupItem(shown, context).contextValue ?? '' });
    }
  return items;
}
