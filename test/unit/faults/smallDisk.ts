import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { StoreError } from '../../../src/tasks/database/storeError';
import { temporaryFolder } from '../../editor/temporaryFolder';
import { undoAtExit } from '../../editor/undoAtExit';

/** A disk on which a store can run out of room. It is gone when the test is. */
export interface SmallDisk extends Disposable {
  /** Where it can be written. */
  readonly folder: string;
  /** Leaves no room for the store at this path. */
  fill(storePath: string): void;
  makeRoom(storePath: string): void;
}

/** What kind of disk tests get on this machine. */
export interface DiskKind {
  readonly title: string;
  /** What a store on it says that has no room. */
  readonly reason: StoreError['reason'];
  make(): SmallDisk;
}

const real: DiskKind = {
  title: 'a disk of 512 KB',
  reason: 'full',
  make: () => {
    const disk = mounted();
    if (disk === undefined) throw new Error('A disk can be mounted no more.');
    return disk;
  },
};

const standIn: DiskKind = {
  title: 'a disk that lets the store make no journal, as this machine lets us mount none that is small',
  reason: 'unusable',
  make: () => {
    const { path: folder, remove } = temporaryFolder('di-disk');
    return {
      folder,
      fill: (storePath) => {
        rmSync(journalOf(storePath), { force: true });
        mkdirSync(journalOf(storePath), { recursive: true });
      },
      makeRoom: (storePath) => rmSync(journalOf(storePath), { recursive: true }),
      [Symbol.dispose]: remove,
    };
  },
};

/** A real disk where the machine lets us mount one, which takes Linux and its root; else what comes closest. */
export function smallDisks(): DiskKind {
  const disk = mounted();
  disk?.[Symbol.dispose]();
  return disk ? real : standIn;
}

function mounted(): SmallDisk | undefined {
  const { path: folder, remove } = temporaryFolder('di-disk');
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]).status !== 0) {
    remove();
    return undefined;
  }
  // Lazily: what still has a file open on it must not keep it.
  const unmount = undoAtExit(() => spawnSync('umount', ['--lazy', folder]));
  const filling = path.join(folder, 'filling');
  return {
    folder,
    // The store keeps its journal, and a small commit would fit into that.
    fill: (storePath) => {
      rmSync(journalOf(storePath), { force: true });
      writeUntilFull(filling);
    },
    makeRoom: () => rmSync(filling),
    [Symbol.dispose]: () => {
      unmount();
      remove();
    },
  };
}

function writeUntilFull(file: string): void {
  const opened = openSync(file, 'w');
  try {
    for (;;) writeSync(opened, Buffer.alloc(4096));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(opened);
  }
}

function journalOf(storePath: string): string {
  return `${storePath}-journal`;
}
