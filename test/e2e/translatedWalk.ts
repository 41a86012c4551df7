import type { ShownTexts } from '../l10n/shownTexts';
import { BatchPage } from './batchPage';
import type { OpenWorkbench } from './openWorkbench';

/** The files of the walk. Their names have no letters, which would look like English words. */
export const walkFiles = {
  '1.txt': '一\n',
  '2.txt': Buffer.from('Z\u00fc', 'latin1'),
  ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`4/${index}.txt`, `${index}\n`])),
  '4/5.txt': Buffer.from('\u00fc5', 'latin1'),
  '4/6.png': '六\n',
};

/** Checks a step of the walk. `show` opens what would not stay open. */
export type See = (step: string, show?: () => Promise<unknown>) => Promise<void>;

/** Walks through the sandbox, an import, a failure and a batch in any language. */
export async function walk({ workbench, page }: OpenWorkbench, texts: ShownTexts, see: See): Promise<void> {
  const { explorer, notifications, quickInput, editors, dialog } = workbench;
  const [tasks, datasets] = [
    workbench.view(texts.manifest('view.tasks')),
    workbench.view(texts.manifest('view.datasets')),
  ];
  const importTo = (name: string) => explorer.chooseFor(texts.manifest('command.importToDataset'), name);
  const isIn = (state: string) => (row: { ariaLabel: string }) => row.ariaLabel.includes(texts.code(state));

  await workbench.openContainer('Dataset Import');
  await tasks.waitForWelcome(/\S/);
  await see('welcome');
  await importTo('1.txt');
  await quickInput.waitFor(texts.code('No dataset is set up yet'));
  await see('first-import');
  await quickInput.cancel();
  await workbench.openContainer('Dataset Import');
  await tasks.clickWelcome(texts.link('welcome.tasks.noDataset', 'startSandbox'));
  await notifications.waitFor(
    texts.anyOf("The sandbox is running. Files are imported to dataset '{0}' and stay on this machine."),
  );
  await datasets.expand('Sandbox');
  await see('sandbox');
  await notifications.clear();

  await importTo('1.txt');
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('1.txt', isIn('succeeded'));
  await see('succeeded');
  await importTo('2.txt');
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('2.txt', isIn('failed'));
  await notifications.waitFor(texts.anyOf("'{0}' at {1}: {2}"));
  await see('failed');
  await see('failed-tooltip', () => tasks.tooltip('2.txt'));
  await notifications.clear();
  await tasks.select('2.txt');
  await editors.waitForText((text) => text.includes(texts.code('Response to the Import')));
  await see('details');
  await importTo('1.txt');
  await dialog.waitFor(texts.anyOf("Import '{0}' to {1}?"));
  await see('import-again');
  await dialog.click('Cancel');

  await importTo('4');
  await quickInput.waitFor(texts.anyOf('Import to {0}: {1} of {2} ({3})'));
  await see('folder-question');
  await quickInput.accept();
  await workbench.openContainer('Dataset Import');
  await tasks.waitForRow('4', ({ icon }) => icon === 'error');
  await see('batch');
  await notifications.clear();
  await tasks.chooseFor(texts.manifest('command.showBatch'), '4');
  await new BatchPage(page).part('page').waitFor();
  await see('batch-page');
}
