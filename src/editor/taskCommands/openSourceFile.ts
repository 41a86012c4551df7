import { commands, l10n, Position, Range, Uri } from 'vscode';
import { positionOfByte } from '../../files/byteOffset';
import { exists } from '../collecting/filePaths';
import { formatCount } from '../platform/formatNumbers';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { type FilePosition, isFilePosition, type TaskNode } from '../taskItems/tasksNode';
import { pickTasks } from '../tree/pickTasks';

/** Max files that are opened without a question. */
const MAX_UNASKED = 10;

/**
 * Opens the imported files of tasks, at the position in the row if it has one; asks before it opens many.
 * @throws UserError if a file no longer exists
 */
export async function openSourceFile(
  services: Pick<Services, 'list' | 'picks'>,
  target: CommandTarget<TaskNode>,
): Promise<void> {
  const tasks = await pickTasks(services, target, ({ source }) => source?.from === 'disk');
  const question = l10n.t('Open {0} files?', formatCount(tasks.length));
  if (tasks.length > MAX_UNASKED && !(await window.confirm(question, '', l10n.t('Open')))) return;
  const [row] = target.rows;
  for (const { source } of tasks) {
    if (source === undefined) continue;
    const uri = Uri.file(source.path);
    if (!(await exists(uri))) throw new UserError(l10n.t("'{0}' is no longer at {1}.", source.name, source.path));
    const selection = isFilePosition(row) ? await selectionAt(source.path, row) : undefined;
    // Unlike openTextDocument, this command opens files of any size. It takes a position past the end for the end.
    await commands.executeCommand('vscode.open', uri, { preview: false, selection });
  }
}

async function selectionAt(path: string, position: FilePosition): Promise<Range> {
  if ('offset' in position) {
    const { line, character } = await positionOfByte(path, position.offset);
    return new Range(line, character, line, character);
  }
  const { line, column = 1 } = position;
  // Some services count from 0.
  const start = new Position(Math.max(0, line - 1), Math.max(0, column - 1));
  return new Range(start, start);
}
