import { commands, l10n, Uri, workspace } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import type { TrackedTask } from '../../tasks/trackedTask';
import { UserError } from '../platform/userError';
import { pickTasks } from '../tree/pickTasks';

/** Opens the files that tasks were made of. @throws UserError where one is no longer there */
export async function openSourceFile(deps: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  for (const { source } of await pickTasks(deps.list, target, selected, isOnDisk)) {
    if (source === undefined) continue;
    const uri = Uri.file(source.path);
    const there = await workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!there) throw new UserError(l10n.t("'{0}' is no longer at {1}.", source.name, source.path));
    // VS Code opens files in its own way that are too large for extensions to see.
    await commands.executeCommand('vscode.open', uri, { preview: false });
  }
}

/** A text that was in memory has no file to open. */
function isOnDisk({ source }: TrackedTask): boolean {
  return source?.from === 'disk';
}
