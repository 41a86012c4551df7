import { type ExtensionContext, ExtensionMode } from 'vscode';
import { type Contributed, Shell } from './editor/shell';
import { followFileExtensions } from './editor/start/followFileExtensions';
import { checkNode, Loader } from './editor/start/loader';
import { loadWhenNeeded } from './editor/start/loadWhenNeeded';
import { storePath } from './tasks/storePath';

/** Closes the engines of this extension host. */
const endings = new Set<() => Promise<void>>();

/** Waits as long as VS Code allows, until all known outcomes are stored. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Registers what VS Code needs from the start. The engine is loaded when it is first needed. */
export function activate(context: ExtensionContext) {
  const engine = new Loader(async () => {
    checkNode();
    return (await import('./editor/engine')).makeEngine(context, shell);
  });
  const shell = new Shell(contributed(context), () => engine.get());
  endings.add(async () => (await engine.begun?.catch(() => undefined))?.end());
  context.subscriptions.push(
    shell,
    followFileExtensions(),
    loadWhenNeeded(engine, storePath(context.globalStorageUri.fsPath)),
  );
  return context.extensionMode === ExtensionMode.Test ? engine : undefined;
}

function contributed({ extension }: ExtensionContext): Contributed {
  const { contributes }: { contributes: Contributed } = extension.packageJSON;
  return contributes;
}
