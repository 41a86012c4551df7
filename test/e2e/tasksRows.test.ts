import assert from 'node:assert/strict';
import { ScriptedService } from './scriptedService';
import type { TreeRow } from './treeView';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

const speeds = [
  { takesMs: 20, count: 300, atLeast: 3 },
  { takesMs: 150, count: 150, atLeast: 6 },
  { takesMs: 500, count: 40, atLeast: 6 },
] as const;

describe('The rows of the view Tasks', () => {
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(() => service.close());
  const open = useWorkbench(() => ({
    files: {
      ...Object.fromEntries(
        speeds.flatMap(({ takesMs, count }) =>
          Array.from({ length: count }, (_, index) => [`after${takesMs}/${index}.txt`, `${takesMs} ${index}\n`]),
        ),
      ),
      'first.txt': 'first\n',
      'large.txt': 'a line of a large file\n'.repeat((48 * 1024 * 1024) / 23),
    },
    settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
  }));
  before('A first import asks for the key', async () => {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import File', 'first.txt');
    await workbench.quickInput.answer("Access-Key of dataset 'Manuals'", 'tasks-rows-key-0123456789');
    await workbench.notifications.waitFor("'Manuals' accepted 'first.txt'");
    await workbench.notifications.clear();
  });
  afterEach(async () => {
    service.importTakesMs = 0;
    service.pieceTakesMs = 0;
    await open().workbench.notifications.clear();
  });

  /** All that the row with this label says until it says what is the last. */
  async function saidUntil(label: string, isLast: (row: TreeRow) => boolean): Promise<string[]> {
    const said = new Set<string>();
    const tasks = open().workbench.view('Tasks');
    await waitUntil(`the last that "${label}" says, after ${[...said].join(', ')}`, async () => {
      const row = (await tasks.rows()).find((candidate) => candidate.label === label);
      if (row !== undefined) said.add(row.description);
      return (row !== undefined && isLast(row)) || undefined;
    });
    return [...said];
  }

  describe('show how far a batch is while it runs, where the service answers', () => {
    for (const { takesMs, count, atLeast } of speeds) {
      it(`after ${takesMs} ms`, async () => {
        const { workbench } = open();
        const folder = `after${takesMs}`;
        service.importTakesMs = takesMs;
        await workbench.explorer.chooseFor('Import Folder', folder);
        await workbench.dialog.waitFor(`Import ${count} files`);
        await workbench.dialog.click('Import');
        await workbench.openContainer('Dataset Import');
        const said = await saidUntil(folder, ({ description }) => !/^\d+ of|queued|sending/.test(description));
        const figures = new Set(said.flatMap((words) => /^(\d+) of /.exec(words)?.[1] ?? []));
        figures.delete('0');
        assert.ok(figures.size >= atLeast, `${figures.size} figures between: ${said.join(' | ')}`);
      });
    }
  });

  it('show by the percent how far a large file is that leaves slowly', async () => {
    const { workbench } = open();
    service.pieceTakesMs = 8;
    await workbench.explorer.chooseFor('Import File', 'large.txt');
    await workbench.openContainer('Dataset Import');
    const said = await saidUntil('large.txt', ({ description }) => description.startsWith('succeeded'));
    const percents = new Set(said.flatMap((words) => /^sending (\d+)\s?%/.exec(words)?.[1] ?? []));
    assert.ok(percents.size >= 6, `${percents.size} figures between: ${said.join(' | ')}`);
  });
});
