import { rename, rm, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { commands, l10n, Uri, window, workspace } from 'vscode';
import type { ImportStore } from '../../tasks/store/importStore';
import type { Filter } from '../../tasks/store/model';
import { UserError } from '../platform/actions';
import { formatCount } from '../platform/format';
import type { Messages } from '../platform/messages';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import { countIn } from '../wording/states';
import { stateCounts } from './chooseRows';

type ExportStore = Pick<ImportStore, 'groups' | 'rowsAfter'>;

/** Exports the matching rows to a file that the user chooses. */
export async function exportTasks(store: ExportStore, messages: Pick<Messages, 'done'>, filter: Filter): Promise<void> {
  const count = countIn(await stateCounts(store, filter));
  if (count === 0) throw new UserError(l10n.t('There are no tasks to export.'));
  const file = await askFile(count);
  if (file === undefined) return;
  const name = basename(file.fsPath);
  const isWritten = await withDelayedProgress(l10n.t("Writing '{0}'", name), async (signal) => {
    await writeTasks(store, filter, file.fsPath, signal);
    return true;
  });
  if (!isWritten) return;
  const open = { label: l10n.t('Open'), run: () => commands.executeCommand('vscode.open', file) };
  await messages.done(l10n.t("Exported the tasks to '{0}'.", name), open);
}

/** Asks where to save the file. The dialog title shows the number of tasks. */
async function askFile(count: number): Promise<Uri | undefined> {
  const [folder] = workspace.workspaceFolders ?? [];
  const file = await window.showSaveDialog({
    title: l10n.t('Export Tasks: {0}', formatCount(count)),
    saveLabel: l10n.t('Export'),
    ...(folder && { defaultUri: Uri.joinPath(folder.uri, 'tasks.csv') }),
    filters: { CSV: ['csv'], 'JSON Lines': ['jsonl'] },
  });
  if (file === undefined || file.scheme === 'file') return file;
  throw new UserError(l10n.t('Tasks can be exported to a folder on this machine only.'));
}

/** Replaces an existing file only after all tasks have been written. */
export async function writeTasks(store: ExportStore, filter: Filter, file: string, signal: AbortSignal): Promise<void> {
  const { exportedText } = await import('../../tasks/exporting');
  const format = /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonLines' : 'csv';
  const partial = `${file}.partial-${process.pid}`;
  try {
    await writeFile(partial, exportedText(store, filter, format), { signal });
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
}
