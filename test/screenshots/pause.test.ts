import { giveKey } from '../e2e/giveKey';
import { refused, ScriptedService } from '../e2e/scriptedService';
import { useWorkbench } from '../e2e/useWorkbench';
import { takePictures } from './takePictures';

describe('The looks of a pause, in screenshots for people', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: {
        ...Object.fromEntries(
          Array.from({ length: 12 }, (_, index) => [`handbook/chapter ${index + 1}.md`, '# text\n']),
        ),
        'notes.txt': 'notes\n',
      },
      settings: {
        'datasetImport.datasets': [
          { name: 'Manuals', baseUrl: service.url },
          { name: 'Archive', baseUrl: 'http://127.0.0.1:9' },
        ],
        'window.autoDetectColorScheme': true,
      },
    }),
    async (opened) => {
      await giveKey(opened, 'Manuals', 'a-key-0123456789');
      await giveKey(opened, 'Archive', 'a-key-0123456789');
    },
  );
  const picture = (name: string) => takePictures(open(), name);

  it('of an outage, and of an access key that is rejected: rows, status bar, messages and details', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    service.fileTask = () => refused('401', 'The access key has expired.', 401);
    await workbench.explorer.chooseFor('Import to Dataset…', 'notes.txt');
    await workbench.quickInput.pick('Manuals');
    await workbench.notifications.waitFor('wait until you replace the access key');
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('notes.txt', ({ spoken }) => spoken.startsWith('access key rejected'));
    await picture('pause-key');
    await workbench.notifications.clear();
    await workbench.explorer.chooseFor('Import to Dataset…', 'handbook');
    await workbench.quickInput.pick('Archive');
    await workbench.quickInput.waitFor('Import 12 files');
    await workbench.quickInput.accept();
    await workbench.openContainer('Dataset Import');
    await tasks.waitForRow('handbook', ({ description }) => description.startsWith('cannot reach'));
    await workbench.notifications.waitFor('The imports to Archive are paused');
    await tasks.expand('handbook');
    await picture('pause-outage');
    await workbench.notifications.clear();
    await tasks.select('notes.txt');
    await workbench.editors.waitForText((text) => text.includes('Access key rejected'));
    await picture('pause-details');
    await workbench.runCommand('Dataset Import: Cancel All Imports');
  });
});
