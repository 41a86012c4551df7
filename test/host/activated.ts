import { type Extension, extensions } from 'vscode';
import type { Parts } from '../../src/editor/parts';
import type { activate } from '../../src/extension';

export type { Parts };

/** What `activate()` hands out to tests. */
type Activated = NonNullable<ReturnType<typeof activate>>;

/** The extension as VS Code has it. */
export function extension(): Extension<Activated> {
  const found = extensions.getExtension<Activated>('dataset-import.dataset-import');
  if (found === undefined) throw new Error('The extension is not installed.');
  return found;
}

/** Activates the extension, or finds it active, and loads its parts. */
export async function activated(): Promise<Parts> {
  return await (await extension().activate()).get();
}
