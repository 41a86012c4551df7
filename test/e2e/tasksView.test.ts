import assert from 'node:assert/strict';
import { join } from 'node:path';
import { giveKey } from './giveKey';
import { ScriptedService } from './scriptedService';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

const BATCH_COUNT = 150;

describe('The view Tasks', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: {
        ...Object.fromEntries(Array.from({ length: BATCH_COUNT }, (_, index) => [`batch/${index}.txt`, `${index}\n`])),
        'also picked.txt': 'also picked\n',
        'first.txt': 'first\n',
        'other.txt': 'other\n',
        'picked.txt': 'picked\n',
        'second.txt': 'second\n',
        'large.txt': 'a line of a large file\n'.repeat((48 * 1024 * 1024) / 23),
      },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'tasks-view-key-0123456789'),
  );
  afterEach(async () => {
    service.importTakesMs = 0;
    service.pieceTakesMs = 0;
    await open().workbench.notifications.clear();
  });

  const tasks = () => open().workbench.view('Tasks');

  /** All that the row with this label says until it says what is the last. */
  async function saidUntil(label: string, isLast: (row: TreeRow) => boolean): Promise<string[]> {
    const said = new Set<string>();
    await waitUntil(`the last that "${label}" says, after ${[...said].join(', ')}`, async () => {
      const row = (await tasks().rows()).find((candidate) => candidate.label === label);
      if (row !== undefined) said.add(row.spoken);
      return (row !== undefined && isLast(row)) || undefined;
    });
    return [...said];
  }

  it('lets files be picked from its welcome and its title, whatever is open in an editor', async () => {
    const { workbench, workspaceFolder } = open();
    await workbench.explorer.open('other.txt');
    await workbench.editors.waitForActive('other.txt');
    await workbench.openContainer('Dataset Import');
    await tasks().clickWelcome('Import Files…');
    await workbench.quickInput.pickPath('Import Files', join(workspaceFolder, 'picked.txt'));
    await workbench.saysInStatusBar("Uploaded 'picked.txt' to Manuals.");
    await tasks().clickTitleAction('Import Files…');
    await workbench.quickInput.pickPath('Import Files', join(workspaceFolder, 'also picked.txt'));
    await workbench.saysInStatusBar("Uploaded 'also picked.txt' to Manuals.");
    for (const name of ['picked.txt', 'also picked.txt']) {
      await tasks().waitForRow(name, ({ spoken }) => spoken.startsWith('succeeded'));
    }
    assert.equal(service.imports.length, 2);
  });

  describe('of several selected rows', () => {
    before(async () => {
      const { workbench } = open();
      for (const name of ['first.txt', 'second.txt']) {
        await workbench.explorer.chooseFor('Import to Dataset…', name);
        await workbench.saysInStatusBar(`Uploaded '${name}' to Manuals.`);
      }
      await workbench.openContainer('Dataset Import');
    });

    const names: [string, string][] = [
      ['first.txt', 'second.txt'],
      ['second.txt', 'first.txt'],
    ];
    for (const [one, clicked] of names) {
      it(`takes the clicked one for what is for one task: '${clicked}'`, async () => {
        const { editors } = open().workbench;
        await tasks().chooseFor('Show Last Response', one, clicked);
        await editors.waitForActive(new RegExp(`^${clicked}.*\\.json`));
        await tasks().chooseFor('Preview Status Check…', one, clicked);
        await editors.waitForActive(`${clicked} (query request)`);
      });
    }

    it('takes all for what is for many, and where another one is clicked that one alone', async () => {
      const { workbench } = open();
      await tasks().chooseFor('Remove from List', 'first.txt', 'second.txt');
      await workbench.dialog.waitFor('Remove 2 tasks from the list?');
      await workbench.dialog.click('Cancel');
      await tasks().select('first.txt');
      await tasks().chooseFor('Remove from List', 'second.txt');
      await undoRemoval('second.txt');
    });

    it('deletes by key the focused one, be it selected or not', async () => {
      const { page } = open();
      await tasks().select('second.txt');
      await page.keyboard.press('Delete');
      await undoRemoval('second.txt');
      await tasks().select('second.txt');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Delete');
      await undoRemoval('first.txt');
    });

    async function undoRemoval(name: string): Promise<void> {
      const { workbench } = open();
      const told = await workbench.notifications.waitFor(`Removed '${name}' from the list.`);
      await tasks().waitForRows((rows) => !rows.some(({ label }) => label === name));
      await told.click('Undo');
      await tasks().waitForRow(name);
      await workbench.notifications.clear();
    }
  });

  it('shows how far a batch is while it runs', async () => {
    const { workbench } = open();
    service.importTakesMs = 150;
    await workbench.explorer.chooseFor('Import to Dataset…', 'batch');
    await workbench.quickInput.waitFor(`Import ${BATCH_COUNT} files`);
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    const said = await saidUntil('batch', ({ spoken }) => !/queued|importing/.test(spoken));
    const figures = new Set(said.flatMap((words) => /importing (\d+) of /.exec(words)?.[1] ?? []));
    figures.delete('1');
    assert.ok(figures.size >= 6, `${figures.size} figures between: ${said.join(' | ')}`);
  });

  it('shows by the percent how far a large file is that leaves slowly', async () => {
    const { workbench } = open();
    service.pieceTakesMs = 8;
    await workbench.explorer.chooseFor('Import to Dataset…', 'large.txt');
    await workbench.openContainer('Dataset Import');
    const said = await saidUntil('large.txt', ({ spoken }) => spoken.startsWith('succeeded'));
    const percents = new Set(said.flatMap((words) => /^importing (\d+)%/.exec(words)?.[1] ?? []));
    assert.ok(percents.size >= 6, `${percents.size} figures between: ${said.join(' | ')}`);
  });
});
