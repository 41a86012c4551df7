import { ConfigurationTarget, workspace } from 'vscode';
import { untilEvent } from './settled';

/** Writes a user setting by its full name; undefined removes it. Resolves when VS Code has reported the change. */
export async function setUserSetting(name: string, value: unknown): Promise<void> {
  const before = JSON.stringify(workspace.getConfiguration().inspect(name)?.globalValue);
  if (before === JSON.stringify(value)) return;
  let isAnnounced = false;
  const listening = workspace.onDidChangeConfiguration((event) => {
    isAnnounced ||= event.affectsConfiguration(name);
  });
  const announced = untilEvent(workspace.onDidChangeConfiguration, () => isAnnounced);
  announced.catch(() => undefined); // errors are thrown by the await below
  await workspace.getConfiguration().update(name, value, ConfigurationTarget.Global);
  await announced.finally(() => listening.dispose());
}
