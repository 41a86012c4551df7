import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { undoAtExit } from '../editor/undoAtExit';

/** Makes an empty folder that no other process uses. `remove` deletes it, and so does the end of this process. */
export function ownFolder(parent: string, name: string): { readonly path: string; remove(): void } {
  mkdirSync(parent, { recursive: true });
  removeAbandoned(parent);
  const path = join(parent, `${name}.${process.pid}.own`);
  mkdirSync(path);
  return { path, remove: undoAtExit(() => rmSync(path, { recursive: true, force: true, maxRetries: 10 })) };
}

/** A process that was killed couldn't remove its folders. */
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
