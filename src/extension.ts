import { type ExtensionContext, ExtensionMode } from 'vscode';
import { type Contributed, Shell } from './editor/shell';
import { followFileExtensions } from './editor/start/followFileExtensions';
import { Loader } from './editor/start/loader';
import { loadWhenNeeded } from './editor/start/loadWhenNeeded';
import { storePath } from './tasks/storePath';

/** What `deactivate` waits for. */
const endings = new Set<() => Promise<void>>();

/** Waits, for as long as VS Code allows, until the outcomes known so far are stored. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Registers what VS Code must find from the start on. Everything else, engine.ts, is loaded when it is first needed. */
export function activate(context: ExtensionContext) {
  const parts = new Loader(async () => (await import('./editor/engine')).makeEngine(context, shell));
  const shell = new Shell(contributed(context), () => parts.get());
  endings.add(async () => (await parts.begun?.catch(() => undefined))?.end());
  context.subscriptions.push(
    shell,
    followFileExtensions(),
    loadWhenNeeded(parts, storePath(context.globalStorageUri.fsPath)),
  );
  return context.extensionMode === ExtensionMode.Test ? parts : undefined;
}

function contributed({ extension }: ExtensionContext): Contributed {
  const { contributes }: { contributes: Contributed } = extension.packageJSON;
  return contributes;
}
