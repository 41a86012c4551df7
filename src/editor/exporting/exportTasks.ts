import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as vscode from 'vscode';
import type { ExportFormat } from '../../tasks/exporting/exportLines';
import { pagesOf } from '../../tasks/history/walk';
import type { TrackedTask } from '../../tasks/trackedTask';
import type { TaskArrangement } from '../arranging/taskArrangement';
import { formatCount } from '../platform/formatNumbers';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import { isBatchNode } from '../rows/tasksNode';
import type { Services } from '../services/services';

/** Writes the tasks of a batch, or those that the view shows, as it is filtered, to a file that the user names. */
export async function exportTasks(
  { list, messages }: Pick<Services, 'list' | 'messages'>,
  arrangement: TaskArrangement,
  target: unknown,
): Promise<void> {
  const wanted = isBatchNode(target)
    ? { group: { by: 'batch', batchId: target.batchId } as const }
    : { filter: arrangement.current.filter ?? {} };
  const { tasks } = await list.history.page({ ...wanted, limit: 1 });
  if (tasks.length === 0) throw new UserError(vscode.l10n.t('There are no tasks to export.'));
  const file = await askFile();
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

async function askFile(): Promise<vscode.Uri | undefined> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const file = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Tasks'),
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
  const { exportLines } = await import('../../tasks/exporting/exportLines');
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
