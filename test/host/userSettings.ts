import { ConfigurationTarget, workspace } from 'vscode';

/** Writes a setting of the user's, named in full; undefined takes it away. Resolves when the change was told. */
export async function setUserSetting(name: string, value: unknown): Promise<void> {
  const before = JSON.stringify(workspace.getConfiguration().inspect(name)?.globalValue);
  if (before === JSON.stringify(value)) return;
  const told = new Promise<void>((resolve) => {
    const subscription = workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration(name)) return;
      subscription.dispose();
      resolve();
    });
  });
  await workspace.getConfiguration().update(name, value, ConfigurationTarget.Global);
  await told;
}
