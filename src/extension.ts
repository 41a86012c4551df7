import { type ExtensionContext, ExtensionMode } from 'vscode';
import type { Engine } from './editor/engine';
import { Lazy, Shell } from './editor/shell';

/** Closes the engines of this extension host. */
const endings = new Set<() => Promise<void>>();

/** Waits as long as VS Code allows, until all known outcomes are stored. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Registers commands and views. The engine is loaded when one of them is first used. */
export function activate(context: ExtensionContext) {
  const engine = new Lazy<Engine>(async () => (await import('./editor/engine')).makeEngine(context, shell.tasksView));
  const shell = new Shell(context, engine);
  endings.add(async () => (await engine.made?.catch(() => undefined))?.end());
  context.subscriptions.push(shell);
  return context.extensionMode === ExtensionMode.Test ? engine : undefined;
}
