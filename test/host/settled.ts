import { setImmediate as immediate } from 'node:timers/promises';
import { commands, type Event, window, workspace } from 'vscode';
import type { TaskList } from '../../src/tasks/store/taskList';
import type { TrackedTask } from '../../src/tasks/trackedTask';
import { inTime, until, untilSettled } from './until';

/** Waits for the first change after which the list holds this many tasks that fit, and returns them. */
export async function untilTasks(
  list: TaskList,
  count: number,
  fits: (task: TrackedTask) => boolean,
): Promise<readonly TrackedTask[]> {
  const { promise, resolve } = Promise.withResolvers<readonly TrackedTask[]>();
  const look = () => {
    const found = list.held.filter(fits);
    if (found.length >= count) resolve(found);
  };
  list.events.on('change', look);
  look();
  return await inTime(`${count} tasks that fit`, promise).finally(() => list.events.off('change', look));
}

/** Resolves once what was asked of the task database before has been read, and acted on. */
export async function untilRead({ history }: TaskList): Promise<void> {
  await history.responses(0);
  await immediate();
}

/** Waits for a command whose message waits for the user, and closes that message. */
export async function closingMessages<T>(running: Thenable<T>): Promise<T> {
  return await untilSettled('the command to end', running, () => commands.executeCommand('notifications.clearAll'));
}

/** Waits for a command that lets the user pick or type, and accepts what is proposed, or cancels. */
export async function answering<T>(running: PromiseLike<T>, response: 'accept' | 'cancel'): Promise<T> {
  const command = { accept: 'workbench.action.acceptSelectedQuickOpenItem', cancel: 'workbench.action.closeQuickOpen' };
  return await untilSettled(`the command to ${response}`, running, () => commands.executeCommand(command[response]));
}

/** Waits until an open document of this scheme has a text that fits, and returns the text. */
export async function untilText(scheme: string, fits: (text: string) => boolean): Promise<string> {
  return await until(`a ${scheme} document with the text`, () =>
    workspace.textDocuments
      .filter(({ uri }) => uri.scheme === scheme)
      .map((document) => document.getText())
      .find(fits),
  );
}

/** Resolves when something is true that only becomes true with an event. */
export async function untilEvent(event: Event<unknown>, isSo: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => isSo() && resolve();
  const subscription = event(look);
  look();
  await inTime('an event', promise).finally(() => subscription.dispose());
}

/** Closes all editors; unsaved changes are lost. */
export async function closeEditors(): Promise<void> {
  await until('the editors to close', async () => {
    if (window.tabGroups.all.every(({ tabs }) => tabs.length === 0)) return true;
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    return false;
  });
}
