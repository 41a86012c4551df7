import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { commands } from 'vscode';
import type { setContextKey } from '../../src/editor/platform/contextKeys';
import { DATASETS_VIEW, TASKS_VIEW } from '../../src/editor/start/views';
import { groupItem } from '../../src/editor/taskItems/batchItem';
import { taskItem } from '../../src/editor/taskItems/taskItem';
import type { TaskState } from '../../src/tasks/trackedTask';
import { activated, extension } from './activated';
import { tasks } from './generatedTasks';

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
  readonly main: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly shortTitle?: string;
      readonly category?: string;
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

/** What the palette always offers: what can be done on day one. */
const always = [
  'importToDataset',
  'importFiles',
  'importFolder',
  'addDataset',
  'openDatasetSettings',
  'importSamples',
  'showLog',
].map((name) => `datasetImport.${name}`);

/** What takes something away that cannot be brought back by the same command. */
const destructive = ['removeTask', 'clearFinished', 'forgetImportedFiles', 'removeDataset'].map(
  (name) => `datasetImport.${name}`,
);

const states: Readonly<Record<TaskState, true>> = {
  queued: true,
  sending: true,
  notSent: true,
  rejected: true,
  unconfirmed: true,
  withoutId: true,
  waiting: true,
  noReport: true,
  running: true,
  succeeded: true,
  failed: true,
  unknown: true,
};

describe('The manifest', () => {
  const { extensionPath } = extension();
  const text = readFileSync(join(extensionPath, 'package.json'), 'utf8');
  const manifest: Manifest = JSON.parse(text);
  const words: Record<string, string> = JSON.parse(readFileSync(join(extensionPath, 'package.nls.json'), 'utf8'));
  const { contributes } = manifest;
  const ids = contributes.commands.map(({ command }) => command);
  const entries = Object.entries(contributes.menus).flatMap(([menu, its]) => its.map((entry) => ({ menu, ...entry })));
  const items = entries.flatMap(({ command, ...entry }) => (command === undefined ? [] : [{ command, ...entry }]));

  const settings = contributes.configuration.flatMap(({ properties }) => Object.entries(properties));

  const steps = contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);

  it('names a command once', () => {
    assert.equal(new Set(ids).size, ids.length);
  });

  it('has its commands registered once it is active, with a handler each, and no other under its name', async () => {
    const parts = await activated();
    const registered = (await commands.getCommands(true)).filter((id) => id.startsWith('datasetImport.'));
    const ownTask = registered.filter((id) => !/^datasetImport\.(tasks|datasets)\./.test(id)); // VS Code's own for views
    assert.deepEqual(ownTask.toSorted(), ids.toSorted());
    assert.deepEqual(parts.commands.handled.toSorted(), ids.toSorted());
  });

  it('finds each of its texts in package.nls.json, where none is left over or empty', () => {
    const asked = new Set([...text.matchAll(/"%([^%"]+)%"/g)].map(([, key]) => key));
    assert.deepEqual([...asked].toSorted(), Object.keys(words).toSorted());
    for (const [key, value] of Object.entries(words)) assert.notEqual(value.trim(), '', key);
  });

  it('has every command in its category, and says once when the palette shows it, if not always', () => {
    for (const { command, category } of contributes.commands) assert.equal(category, 'Dataset Import', command);
    const ruled = items.filter(({ menu }) => menu === 'commandPalette').map(({ command }) => command);
    assert.deepEqual([...ruled, ...always].toSorted(), ids.toSorted());
  });

  it('has nothing destructive beside something else in a menu, nor before it', () => {
    const kinds = (menu: string, isTasks: boolean) =>
      (contributes.menus[menu] ?? []).filter(({ when = '' }) => when.includes(TASKS_VIEW) === isTasks);
    const menus = ['view/title', 'view/item/context'].flatMap((menu) => [kinds(menu, true), kinds(menu, false)]);
    let count = 0;
    for (const menu of menus) {
      const all = new Set(menu.map(({ group = '' }) => group.split('@')[0] ?? ''));
      // Those two are icons, and not in the order of the others.
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

  it('asks in its conditions only for states that a task can have', () => {
    const asked = items.flatMap(({ when = '' }) =>
      [...when.matchAll(/datasetImport\.taskStates =~ \/([^/]*)\//g)].flatMap(([, some = '']) => some.split('|')),
    );
    assert.notEqual(asked.length, 0);
    for (const state of asked) assert.ok(state in states, state);
  });

  it('has at most eight entries in the menu of a dataset', () => {
    const shown = items.filter(({ menu, when = '', group = '' }) => {
      const ofDataset = when.includes(DATASETS_VIEW) && /viewItem == dataset$|\(dataset\|sandbox\)/.test(when);
      return menu === 'view/item/context' && ofDataset && !group.startsWith('inline');
    });
    assert.ok(shown.length > 0 && shown.length <= 8, shown.map(({ command }) => command).join());
  });

  it('has in its menus and welcome texts only commands of its own', () => {
    for (const { menu, command } of items) assert.ok(ids.includes(command), `${menu}: ${command}`);
    const linked = Object.values(words).flatMap((value) => [...value.matchAll(/\]\(command:([^)?]+)/g)]);
    assert.notEqual(linked.length, 0);
    const ofVsCode = [`${TASKS_VIEW}.focus`, 'workbench.action.openWalkthrough'];
    for (const [, command = ''] of linked) assert.ok([...ids, ...ofVsCode].includes(command), command);
  });

  it('offers one button in each welcome, and links for the rest', () => {
    for (const { contents } of contributes.viewsWelcome) {
      const lines = words[contents.slice(1, -1)]?.split('\n') ?? [];
      assert.equal(lines.filter((line) => /^\[[^\]]+\]\([^)]+\)$/.test(line)).length, 1, contents);
    }
  });

  it('completes each step of its walkthrough by what is so, with a picture of its own in the colors of the theme', () => {
    assert.equal(new Set(steps.map(({ media }) => media.svg)).size, steps.length);
    for (const { media, completionEvents } of steps) {
      for (const event of completionEvents) assert.match(event, /^onContext:datasetImport\.\w+$/);
      const colors = [...readFileSync(join(extensionPath, media.svg), 'utf8').matchAll(/(?:fill|stroke)="([^"]+)"/g)];
      assert.notEqual(colors.length, 0);
      for (const [, color = ''] of colors) {
        assert.match(color, /^(?:var\(--vscode-.+\)|none)$/, media.svg);
        // High contrast leaves these unset, and what has no color is drawn black.
        assert.doesNotMatch(color, /var\(--vscode-(?:list|menu|input)-\w+\)/, media.svg);
      }
    }
  });

  it('has the two views that the code fills, in its own container', () => {
    assert.deepEqual(
      contributes.viewsContainers.activitybar.map(({ id }) => id),
      Object.keys(contributes.views),
    );
    const views = Object.values(contributes.views).flatMap((list) => list.map(({ id }) => id));
    assert.deepEqual(views, [TASKS_VIEW, DATASETS_VIEW]);
    for (const { view } of contributes.viewsWelcome) assert.ok(views.includes(view), view);
  });

  it('lets a workspace that is not trusted set none of its settings', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const ofWorkspaces = settings.filter(([, { scope }]) => scope !== 'application').map(([name]) => name);
    // VS Code heeds the list only there.
    assert.equal(supported, 'limited');
    assert.deepEqual(restrictedConfigurations.toSorted(), ofWorkspaces.toSorted());
  });

  it('lets files be picked where no file is meant, whatever is open in an editor', () => {
    const title = contributes.menus['view/title']?.map(({ command }) => command) ?? [];
    const linked = Object.values(words).flatMap((value) => [...value.matchAll(/command:(datasetImport\.\w+)/g)]);
    for (const commands of [title, linked.map(([, command]) => command)]) {
      assert.ok(commands.includes('datasetImport.importFiles'));
      assert.ok(!commands.includes('datasetImport.importFile'));
    }
  });

  it('offers to import no document that is only made to be read', () => {
    const offers = items.filter(
      ({ menu, command }) => menu.startsWith('editor/') && command === 'datasetImport.importToDataset',
    );
    assert.equal(offers.length, 2);
    for (const { when } of offers)
      assert.match(when ?? '', /^resourceScheme =~ \/\^\(\?!dataset-import-\|output\$\)\/ && \(/);
  });

  it('offers to import the active file or a selection of it in the palette too on no page of ours', () => {
    const offers = items.filter(
      ({ menu, command }) => menu === 'commandPalette' && /^datasetImport\.import(File|Selection)$/.test(command ?? ''),
    );
    assert.deepEqual(
      offers.map(({ when }) => when),
      [
        'editorIsOpen && !(resourceScheme =~ /^dataset-import-/)',
        'editorHasSelection && resourceScheme =~ /^(?!dataset-import-|output$)/',
      ],
    );
  });

  it('asks in its conditions only for context keys that somebody sets', () => {
    const named = {
      fileExtensions: true,
      hasDatasets: true,
      hasOtherDatasets: true,
      hasNoDatasets: true,
      sandboxRunning: true,
      importing: true,
      tasksFiltered: true,
      taskStates: true,
      hasImported: true,
      hasEndedTask: true,
      hasOwnDataset: true,
      hasOwnImport: true,
    } as const;
    const ownTask = named satisfies Record<Parameters<typeof setContextKey>[0], true>;
    const set = Object.keys(ownTask).map((name) => `datasetImport.${name}`);
    const schemes = ['file', 'untitled', 'output', 'dataset-import-preview'];
    const values = [TASKS_VIEW, DATASETS_VIEW, 'dataset', 'sandbox', ...schemes];
    const builtIn = [
      'view',
      'viewItem',
      'resourceScheme',
      'resourceExtname',
      'explorerResourceIsFolder',
      'editorHasSelection',
      'editorIsOpen',
      'config.datasetImport.datasets',
      'in',
      'false',
    ];
    const completions = steps.flatMap(({ completionEvents }) =>
      completionEvents.map((event) => event.split(':')[1] ?? ''),
    );
    const conditions = [...entries, ...contributes.viewsWelcome].flatMap(({ when }) => when ?? []).concat(completions);
    const asked = conditions.flatMap(
      (when) => when.replaceAll(/\/(?:[^/\\]|\\.)*\/[a-z]*/g, '').match(/[\w.-]+/g) ?? [],
    );
    assert.deepEqual(
      [...new Set(asked)].filter((name) => ![...set, ...values, ...builtIn].includes(name)),
      [],
    );
    for (const name of set) assert.ok(asked.includes(name), `${name} is set and not asked for`);
  });

  it('asks in its conditions only for traits that a row can have', () => {
    const pause = { reason: { kind: 'noTarget', detail: '' }, untilMs: Number.POSITIVE_INFINITY } as const;
    const rows = fc
      .sample(tasks, { seed: 1, numRuns: 2000 })
      .flatMap((task) =>
        [undefined, { kind: 'paused', pause } as const].map((why) => taskItem(task, undefined, 0, why)),
      );
    const counts = new Map<TaskState, number>([
      ['rejected', 1],
      ['unconfirmed', 1],
    ]);
    const ofGroup = groupItem({ groupBy: 'dataset', value: 'Manuals' }, { value: 'Manuals', counts, newestMs: 0 });
    const has = new Set([...rows, ofGroup].flatMap(({ contextValue }) => contextValue?.split(';').slice(1, -1) ?? []));
    const asked = entries.flatMap(({ when }) =>
      [...(when ?? '').matchAll(/\.\*(?:(\w+)|\(([\w|]+)\));/g)].flatMap(
        ([, one, some]) => one ?? some?.split('|') ?? [],
      ),
    );
    assert.deepEqual(
      [...new Set(asked)].filter((trait) => !has.has(trait)),
      [],
    );
    assert.deepEqual(
      [...has].filter((trait) => !asked.includes(trait)),
      [],
      'no menu asks for it',
    );
  });

  it('groups its settings under titles, and explains each of them and of its choices in one line', () => {
    const titles = contributes.configuration.map(({ title }) => words[title.slice(1, -1)]);
    assert.deepEqual(titles, ['Datasets', 'Files', 'Importing', 'Tasks', 'Sandbox']);
    for (const [name, { markdownDescription = '', enum: choices = [], markdownEnumDescriptions = [] }] of settings) {
      assert.match(words[markdownDescription.slice(1, -1)] ?? '', /^(?:Controls|Configures) .+[.]$/, name);
      assert.equal(markdownEnumDescriptions.length, choices.length, name);
    }
  });
});
