import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService, value } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { takePictures } from './takePictures';

const GOOD = '# A chapter\n';

describe('The looks of a folder that is mended, in screenshots for people', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `handbook/chapter ${String(index + 1).padStart(2, '0')}.md`,
          index < 2 ? 'rejected\n' : index < 5 ? 'failing\n' : GOOD,
        ]),
      ),
      settings: {
        'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
        'window.autoDetectColorScheme': true,
      },
    }),
    (opened) => giveKey(opened, 'Manuals', 'a-key-0123456789'),
  );
  const picture = (name: string) => takePictures(open(), name);

  it('is green after Retry Failed, and a row names the earlier import where the newest did not get in', async () => {
    const { workbench, workspaceFolder } = open();
    const tasks = workbench.view('Tasks');
    service.fileTask = ({ body }) => {
      if (body.includes('rejected')) return refused('4103', 'The title is missing.');
      return value(`{"taskId":"${body.includes('failing') ? 'failing' : 'task'}-${service.imports.length}"}`);
    };
    service.queryTask = ({ body }) =>
      value(
        body.includes('failing') ? '{"status":"FAILED","message":"No table of contents."}' : '{"status":"SUCCEEDED"}',
      );
    await workbench.explorer.chooseFor('Import to Dataset…', 'handbook');
    await workbench.quickInput.waitFor('Import 40 files');
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow(
      'handbook',
      ({ description }) => description.includes('3 failed') && description.includes('2 rejected'),
    );
    await tasks.expand('handbook');
    await workbench.notifications.clear();
    await picture('mended-before');
    for (let chapter = 1; chapter <= 5; chapter++)
      writeFileSync(join(workspaceFolder, 'handbook', `chapter 0${chapter}.md`), `${GOOD}mended\n`);
    const sent = service.imports.length;
    await tasks.chooseFor('Retry Failed', 'handbook');
    await tasks.waitForRow('handbook', ({ description }) => description.startsWith('40 succeeded'));
    assert.equal(service.imports.length, sent + 5);
    await workbench.notifications.clear();
    await picture('mended-after');
    writeFileSync(join(workspaceFolder, 'handbook', 'chapter 01.md'), 'rejected\n');
    await tasks.chooseFor('Import Again', 'chapter 01.md');
    await tasks.waitForRow('chapter 01.md', ({ description }) => description.includes('an earlier import got in'));
    await workbench.notifications.clear();
    await tasks.select('chapter 01.md');
    await workbench.editors.waitForText((text) => text.includes('Earlier import'));
    await picture('mended-earlier');
    await tasks.chooseFor('Show Details', 'handbook');
    await workbench.editors.waitForText((text) => text.includes('40 files'));
    await picture('mended-imports');
  });
});
