import { createReadStream } from 'node:fs';
import path from 'node:path';
import { l10n, Uri, window, workspace } from 'vscode';
import { ListError } from '../../files/listedPaths';
import type { ChoosingServices } from '../choosing/importChosen';
import { exists } from '../files/filePaths';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import { importFiles } from './importFile';

/**
 * Imports the files that a list names: exported tasks, a table with a column `path`, or one path a line. Asks what every
 * import asks, and about files outside of the workspace. @throws UserError where the list cannot be read or names no file
 */
export async function importFromList(services: ChoosingServices): Promise<void> {
  const title = l10n.t('Import from List');
  const filters = { [l10n.t('File lists')]: ['csv', 'jsonl', 'txt'], [l10n.t('All files')]: ['*'] };
  const [list] = (await window.showOpenDialog({ title, openLabel: l10n.t('Import'), filters })) ?? [];
  if (list === undefined) return;
  const name = path.posix.basename(list.path);
  const uris = await withDelayedProgress(l10n.t("Reading '{0}'…", name), (signal) => filesIn(list, signal));
  if (uris === undefined) return;
  if (uris.length === 0) throw new UserError(l10n.t("'{0}' does not list any files.", name));
  await importFiles(services, uris, { label: name, chosenBy: 'list' });
}

/** Each file once. */
async function filesIn(list: Uri, signal: AbortSignal): Promise<Uri[]> {
  const { listedPaths } = await import('../../files/listedPaths');
  const found = new Map<string, Uri>();
  try {
    for await (const listed of listedPaths(createReadStream(list.fsPath, { signal }))) {
      const uri = await fileOf(listed, list);
      found.set(uri.toString(), uri);
    }
  } catch (error) {
    if (!(error instanceof ListError)) throw error;
    throw new UserError(formatListError(error, path.posix.basename(list.path)), [], { cause: error });
  }
  return [...found.values()];
}

function formatListError({ line, reason }: ListError, name: string): string {
  switch (reason) {
    case 'broken':
      return l10n.t("Line {0} of '{1}' cannot be read.", line, name);
    case 'tooLong':
      return l10n.t("The entry in line {0} of '{1}' does not end. Check for a missing quotation mark.", line, name);
  }
}

/** A relative path is looked for in the folders of the workspace, then beside the list. */
async function fileOf(listed: string, list: Uri): Promise<Uri> {
  if (path.isAbsolute(listed)) return Uri.file(path.normalize(listed));
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const besideList = Uri.joinPath(list, '..');
  for (const folder of [...folders, besideList]) {
    const uri = Uri.joinPath(folder, listed);
    if (await exists(uri)) return uri;
  }
  return Uri.joinPath(folders[0] ?? besideList, listed);
}
