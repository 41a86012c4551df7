import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { undoAtExit } from '../editor/undoAtExit';

/** Creates an empty folder that no other process uses. It is deleted by `remove`, or when this process ends. */
export function ownFolder(parent: string, name: string): { readonly path: string; remove(): void } {
  mkdirSync(parent, { recursive: true });
  removeAbandoned(parent);
  const path = join(parent, `${name}.${process.pid}.own`);
  mkdirSync(path);
  return { path, remove: undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 })) };
}

/** Removes folders left behind by processes that were killed. */
function removeAbandoned(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = /\.(\d+)\.own$/.exec(name)?.[1];
    if (owner && !isAlive(Number(owner))) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
