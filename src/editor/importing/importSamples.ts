import { l10n, Uri, workspace } from 'vscode';
import type { ChoosingServices } from '../choosing/importChosen';
import { importFiles } from './importFile';

/**
 * Imports the sample files that come with the extension, in this folder, to the sandbox, which is started for it. One of them fails there,
 * to show how that looks.
 */
export async function importSamples(services: ChoosingServices, folder: Uri): Promise<void> {
  const dataset = await services.sandbox.start();
  const names = (await workspace.fs.readDirectory(folder)).map(([name]) => name).sort();
  const files = names.map((name) => Uri.joinPath(folder, name));
  await importFiles(services, files, { label: l10n.t('Sample files'), target: { dataset } });
}
