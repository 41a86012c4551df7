import type { OpenWorkbench } from './openWorkbench';

/** Sets a dataset's access key, so that imports don't ask for it. */
export async function setAccessKey(
  { workbench }: Pick<OpenWorkbench, 'workbench'>,
  dataset: string,
  key: string,
): Promise<void> {
  await workbench.openContainer('Dataset Import');
  await workbench.view('Datasets').chooseFor('Set Access Key…', dataset);
  await workbench.quickInput.answer(`Access Key of '${dataset}'`, key);
  await workbench.view('Datasets').waitForRow(dataset, ({ description }) => !description.includes('no access key'));
}
