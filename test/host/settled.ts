import { commands, type Event, window, workspace } from 'vscode';
import { inTime, until, untilSettled } from './until';

/** Waits for a command to finish. Closes its messages, so that the command doesn't wait for the user. */
export async function closingMessages<T>(running: Thenable<T>): Promise<T> {
  return await untilSettled('the command to end', running, () => commands.executeCommand('notifications.clearAll'));
}

/** Waits for a command that prompts the user. Accepts or cancels each prompt. */
export async function answering<T>(running: PromiseLike<T>, response: 'accept' | 'cancel'): Promise<T> {
  const command = { accept: 'workbench.action.acceptSelectedQuickOpenItem', cancel: 'workbench.action.closeQuickOpen' };
  return await untilSettled(`the command to ${response}`, running, () => commands.executeCommand(command[response]));
}

/** Waits for an open document with this scheme and matching text, and returns the text. */
export async function untilText(scheme: string, matches: (text: string) => boolean): Promise<string> {
  return await until(`a ${scheme} document with the text`, () =>
    workspace.textDocuments
      .filter(({ uri }) => uri.scheme === scheme)
      .map((document) => document.getText())
      .find(matches),
  );
}

/** Resolves when a condition holds. The condition is checked now and after each event. */
export async function untilEvent(event: Event<unknown>, condition: () => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => condition() && resolve();
  const subscription = event(check);
  check();
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
