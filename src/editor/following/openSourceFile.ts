import { commands, l10n, Position, Range, Uri } from 'vscode';
import { positionOfByte } from '../../files/byteOffset';
import type { TaskList } from '../../tasks/store/taskList';
import { exists } from '../files/filePaths';
import { UserError } from '../platform/userError';
import { type FilePosition, isFilePosition } from '../rows/tasksNode';
import { pickTasks } from '../tree/pickTasks';

/**
 * Opens the imported files of tasks; that of a target which also has a position opens there.
 * @throws UserError where a file no longer exists
 */
export async function openSourceFile(services: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  for (const { source } of await pickTasks(services.list, target, selected, ({ source }) => source?.from === 'disk')) {
    if (source === undefined) continue;
    const uri = Uri.file(source.path);
    if (!(await exists(uri))) throw new UserError(l10n.t("'{0}' is no longer at {1}.", source.name, source.path));
    const selection = isFilePosition(target) ? await selectionAt(source.path, target) : undefined;
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
