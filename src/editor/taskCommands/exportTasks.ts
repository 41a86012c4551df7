import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import type { ExportFormat } from '../../tasks/exportLines';
import { pagesOf } from '../../tasks/history/walk';
import type { TrackedTask } from '../../tasks/trackedTask';
import { formatCount } from '../platform/formatNumbers';
import { plainText } from '../platform/outsideText';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import type { BatchNode } from '../taskItems/tasksNode';

/** Writes the tasks of a batch, or all tasks that the view shows, to a file that the user chooses. */
export async function exportTasks(
  { list, messages, arrangement }: Pick<Services, 'list' | 'messages' | 'arrangement'>,
  row: BatchNode | undefined,
): Promise<void> {
  const filter = (row === undefined ? arrangement.current : row).filter ?? {};
  const wanted = row === undefined ? { filter } : { filter, group: { by: 'batch', batchId: row.batchId } as const };
  const { tasks } = await list.history.page({ ...wanted, limit: 1 });
  if (tasks.length === 0) throw new UserError(vscode.l10n.t('There are no tasks to export.'));
  const summary = row && (await list.history.batch(row.batchId, filter));
  const counts =
    summary?.counts.map(({ count }) => count) ??
    (await list.history.groups('state', filter)).flatMap((group) => [...group.counts.values()]);
  const shown = counts.reduce((sum, count) => sum + count, 0);
  const file = await askFile(shown, summary?.batch.label);
  if (file === undefined) return;
  const name = path.basename(file.fsPath);
  const count = await withDelayedProgress(vscode.l10n.t("Writing '{0}'", name), (signal) =>
    writeTasks(file.fsPath, pagesOf(list.history, wanted), signal),
  );
  if (count === undefined) return;
  const open = { label: vscode.l10n.t('Open'), run: () => vscode.commands.executeCommand('vscode.open', file) };
  const message =
    count === 1
      ? vscode.l10n.t("Exported 1 task to '{0}'.", name)
      : vscode.l10n.t("Exported {0} tasks to '{1}'.", formatCount(count), name);
  await messages.done(message, open);
}

/** Asks for the file. The title says how many tasks will be in it. */
async function askFile(count: number, batch: string | undefined): Promise<vscode.Uri | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const file = await vscode.window.showSaveDialog({
    title:
      batch === undefined
        ? vscode.l10n.t('Export Tasks: {0}', formatCount(count))
        : vscode.l10n.t("Export Tasks of '{0}': {1}", plainText(batch), formatCount(count)),
    saveLabel: vscode.l10n.t('Export'),
    ...(folder && { defaultUri: vscode.Uri.joinPath(folder.uri, 'tasks.csv') }),
    filters: { CSV: ['csv'], 'JSON Lines': ['jsonl'] },
  });
  if (file === undefined || file.scheme === 'file') return file;
  throw new UserError(vscode.l10n.t('Tasks can be exported to a folder on this machine only.'));
}

/**
 * Writes the file once all of it is written: an earlier one stays as it is where this fails or is canceled. Resolves to
 * the number of tasks.
 */
async function writeTasks(
  file: string,
  steps: AsyncIterable<readonly TrackedTask[]>,
  signal: AbortSignal,
): Promise<number> {
  const { exportLines } = await import('../../tasks/exportLines');
  const partial = `${file}.partial-${process.pid}`;
  let count = 0;
  async function* counted() {
    for await (const tasks of steps) {
      count += tasks.length;
      yield tasks;
    }
  }
  try {
    await pipeline(exportLines(counted(), formatOf(file)), createWriteStream(partial), { signal });
    await rename(partial, file);
  } finally {
    await rm(partial, { force: true });
  }
  return count;
}

function formatOf(file: string): ExportFormat {
  return /\.(jsonl|ndjson|json)$/i.test(file) ? 'jsonLines' : 'csv';
}
