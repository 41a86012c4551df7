import type { SqliteFile } from '../database/sqliteFile';
import { TaskHistory } from '../history/taskHistory';
import { Leases } from '../leases/leases';
import type { EditorWindow } from '../leases/windowLease';
import type { Clock } from '../timing/clock';
import { Contents } from './contents';
import { Notices } from './notices';
import { TaskStore } from './taskStore';

/** What a window calls of a part, wherever that runs. */
export type Operations<Part> = Pick<
  Part,
  { [Name in keyof Part]: Part[Name] extends (...args: never) => Promise<unknown> ? Name : never }[keyof Part]
>;

/** The task database as a window uses it. Every operation may reject with StoreError. */
export interface Store {
  readonly tasks: Operations<TaskStore>;
  readonly history: Operations<TaskHistory>;
  readonly notices: Operations<Notices>;
  readonly leases: Operations<Leases>;
  readonly contents: Operations<Contents>;
  readonly window: EditorWindow;
  /** Whether there is a database yet; reading or writing makes one. */
  readonly exists: boolean;
  /** Differs from what it was before if another window has written to the database, or replaced it, since. */
  version(): Promise<string>;
  /** Closes the database once what was asked for is done; a later operation opens it again. */
  close(): Promise<void>;
}

/** A window's store in a file that has the tables of tasks, whose operations run in the caller's own thread. */
export function storeHere(file: SqliteFile, window: EditorWindow, clock: Pick<Clock, 'now' | 'monotonicMs'>) {
  return {
    tasks: new TaskStore(file, clock, window),
    history: new TaskHistory(file),
    notices: new Notices(file, window),
    leases: new Leases(file, clock, window),
    contents: new Contents(file),
    window,
    get exists() {
      return file.exists;
    },
    version: () => file.version(),
    close: () => file.close(),
  } satisfies Store;
}

/** The names of the parts of a store, whose operations run where it does. */
export type StorePart = Exclude<keyof Store, 'window' | 'exists' | 'version' | 'close'>;
