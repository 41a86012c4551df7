import { type Extension, extensions } from 'vscode';
import type { activate } from '../../src/extension';

/** The parts that `activate()` hands out to tests. */
export type Parts = NonNullable<ReturnType<typeof activate>>;

/** The extension as VS Code has it. */
export function extension(): Extension<Parts> {
  const found = extensions.getExtension<Parts>('dataset-import.dataset-import');
  if (found === undefined) throw new Error('The extension is not installed.');
  return found;
}

/** Activates the extension, or finds it active. */
export async function activated(): Promise<Parts> {
  return await extension().activate();
}
