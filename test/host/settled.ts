import { setImmediate as immediate } from 'node:timers/promises';
import { commands, type Event, window, workspace } from 'vscode';
import type { TaskList } from '../../src/tasks/store/taskList';
import type { TrackedTask } from '../../src/tasks/trackedTask';

/** The tasks of the list that fit, as soon as there are as many as asked for. */
export function untilTasks(
  list: TaskList,
  count: number,
  fits: (task: TrackedTask) => boolean,
): Promise<readonly TrackedTask[]> {
  return new Promise((resolve) => {
    const look = () => {
      const found = list.held.filter(fits);
      if (found.length < count) return;
      list.events.off('change', look);
      resolve(found);
    };
    list.events.on('change', look);
    look();
  });
}

/** Resolves once what was asked of the task database before has been read, and acted on. */
export async function untilRead({ history }: TaskList): Promise<void> {
  await history.responses(0);
  await immediate();
}

/** Waits for a command whose message waits for the user, and closes that message. */
export async function closingMessages<T>(running: Thenable<T>): Promise<T> {
  let ended = false;
  const result = Promise.resolve(running).finally(() => {
    ended = true;
  });
  while (!ended) await Promise.race([result, commands.executeCommand('notifications.clearAll')]);
  return await result;
}

/** Waits for what lets the user pick or type, and takes what is proposed or leaves it. */
export async function answering<T>(running: PromiseLike<T>, response: 'accept' | 'cancel'): Promise<T> {
  const command = { accept: 'workbench.action.acceptSelectedQuickOpenItem', cancel: 'workbench.action.closeQuickOpen' };
  let ended = false;
  const result = Promise.resolve(running).finally(() => {
    ended = true;
  });
  while (!ended) await Promise.race([result, commands.executeCommand(command[response])]);
  return await result;
}

/** Resolves at the first change of an open document that makes its text fit. */
export function untilText(scheme: string, fits: (text: string) => boolean): Promise<string> {
  return new Promise((resolve) => {
    const look = () => {
      const text = workspace.textDocuments
        .filter(({ uri }) => uri.scheme === scheme)
        .map((document) => document.getText())
        .find(fits);
      if (text === undefined) return;
      subscription.dispose();
      resolve(text);
    };
    const subscription = workspace.onDidChangeTextDocument(look);
    look();
  });
}

/** Resolves as soon as something is so, which can only become so with an event. */
export function untilEvent(event: Event<unknown>, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (!isSo()) return;
      subscription.dispose();
      resolve();
    };
    const subscription = event(look);
    look();
  });
}

/** Closes all editors, and what was not saved in them is lost. */
export async function closeEditors(): Promise<void> {
  while (window.tabGroups.all.some(({ tabs }) => tabs.length > 0)) {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
}
