import { type ExtensionContext, ExtensionMode } from 'vscode';
import type { Engine } from './editor/engine';
import { Lazy, registerShell } from './editor/shell';

/** Functions that close the engine. */
const endings = new Set<() => Promise<void>>();

/** Stops uploads and waits until their outcomes are stored. VS Code limits how long this can take. */
export async function deactivate(): Promise<void> {
  await Promise.all([...endings].map((end) => end()));
}

/** Registers the commands and views. Loads the engine when one of them is first used. */
export function activate(context: ExtensionContext) {
  const engine = new Lazy<Engine>(async () => (await import('./editor/engine')).makeEngine(context, tasksView));
  const tasksView = registerShell(context, engine);
  endings.add(async () => (await engine.made?.catch(() => undefined))?.end());
  return context.extensionMode === ExtensionMode.Test ? engine : undefined;
}
