import { type ExtensionContext, ExtensionMode } from 'vscode';
import { followFileExtensions } from './editor/start/followFileExtensions';
import { Loader } from './editor/start/loader';
import { loadWhenNeeded } from './editor/start/loadWhenNeeded';
import { Shell } from './editor/start/shell';
import { storePath } from './tasks/storePath';

/** What `deactivate` waits for. */
const endings = new Set<() => Promise<void>>();

/** Waits, for as long as VS Code allows, until the outcomes known so far are stored. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Registers what VS Code must find from the start on. All else, parts.ts, is loaded when it is first needed. */
export function activate(context: ExtensionContext) {
  const parts = new Loader(async () => (await import('./editor/parts')).makeParts(context, shell));
  const shell = new Shell(contributedCommands(context), () => parts.get());
  endings.add(async () => (await parts.begun?.catch(() => undefined))?.end());
  context.subscriptions.push(
    shell,
    followFileExtensions(),
    loadWhenNeeded(parts, storePath(context.globalStorageUri.fsPath)),
  );
  return context.extensionMode === ExtensionMode.Test ? parts : undefined;
}

/** The ids of the commands in package.json. */
function contributedCommands({ extension }: ExtensionContext): string[] {
  const { contributes }: { contributes: { commands: readonly { readonly command: string }[] } } = extension.packageJSON;
  return contributes.commands.map(({ command }) => command);
}
