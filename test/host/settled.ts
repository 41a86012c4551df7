import { commands, type Event, window, workspace } from 'vscode';
import { inTime, until, untilSettled } from './until';

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
