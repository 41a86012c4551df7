import { commands, l10n, Uri, workspace } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { UserError } from '../platform/userError';
import { pickTasks } from '../tree/pickTasks';

/** Opens the imported files of tasks. @throws UserError where one no longer exists */
export async function openSourceFile(services: { list: TaskList }, target: unknown, selected: unknown): Promise<void> {
  for (const { source } of await pickTasks(services.list, target, selected, ({ source }) => source?.from === 'disk')) {
    if (source === undefined) continue;
    const uri = Uri.file(source.path);
    const exists = await workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!exists) throw new UserError(l10n.t("'{0}' is no longer at {1}.", source.name, source.path));
    // Unlike openTextDocument, this command opens files of any size.
    await commands.executeCommand('vscode.open', uri, { preview: false });
  }
}
