import { type Extension, extensions } from 'vscode';
import type { Engine } from '../../src/editor/engine';
import type { activate } from '../../src/extension';

export type { Engine };

/** The return value of `activate()` in tests. */
type Activated = NonNullable<ReturnType<typeof activate>>;

/** The extension in the VS Code instance under test. */
export function extension(): Extension<Activated> {
  const found = extensions.getExtension<Activated>('dataset-import.dataset-import');
  if (found === undefined) throw new Error('The extension is not installed.');
  return found;
}

/** Activates the extension if necessary, and returns its engine. */
export async function activated(): Promise<Engine> {
  return await (await extension().activate()).get();
}
