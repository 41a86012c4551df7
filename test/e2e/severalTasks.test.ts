import assert from 'node:assert/strict';
import { giveKey } from './giveKey';
import { ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';

// The places themselves are tried in the unit tests; here is the way of a person through one service of this kind.
describe('A service that lists several tasks, and names them in its own way', () => {
  const ids = ['88b', '91c'];
  const service = ScriptedService.duringTests();
  before(() => {
    service.fileTask = () => value(`{"see":"${ids[service.imports.length - 1]}"}`);
    service.queryTask = () =>
      value('{"rows":[{"no":"00a","st":"BAD"},{"no":"91c","st":"GOOD"},{"no":"88b","st":"SO_SO"}]}');
  });
  const open = useWorkbench(
    () => ({
      files: { 'a.txt': 'one\n', 'b.txt': 'two\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'first-key-0123456789'),
  );

  it('becomes usable by two picks, and each task shows its own status', async () => {
    const { workbench } = open();
    const { quickInput } = workbench;
    const tasks = workbench.view('Tasks');
    await workbench.explorer.chooseFor('Import to Dataset…', 'a.txt', 'b.txt');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('a.txt', ({ spoken }) => spoken.startsWith('task ID not recognized'));
    await tasks.waitForRow('b.txt', ({ spoken }) => spoken.startsWith('task ID not recognized'));
    await tasks.chooseFor('Map Responses > Choose the Task ID…', 'a.txt');
    await quickInput.waitFor("Task ID in the responses of dataset 'Manuals'");
    const rows = await quickInput.rows();
    await quickInput.pick(rows.find(({ description }) => description === '/see')?.label ?? '');
    await tasks.waitForRow('a.txt', ({ spoken }) => spoken.startsWith('status not recognized'));
    await tasks.waitForRow('b.txt', ({ spoken }) => spoken.startsWith('status not recognized'));
    await tasks.chooseFor('Map Responses > Choose the Status…', 'a.txt');
    await quickInput.waitFor("Status in the responses of dataset 'Manuals'");
    const offered = (await quickInput.rows()).map(({ label }) => label);
    assert.ok(!offered.includes('BAD'), offered.join());
    await quickInput.pick(offered.find((label) => ['GOOD', 'SO_SO'].includes(label)) ?? assert.fail(offered.join()));
    await tasks.waitForRow('a.txt', ({ description }) => /^status '(?:GOOD|SO_SO)'/.test(description));
    const shown = (await tasks.rows()).flatMap(({ description }) => /^status '(\w+)'/.exec(description)?.[1] ?? []);
    assert.deepEqual(shown.sort(), ['GOOD', 'SO_SO']);
  });
});
