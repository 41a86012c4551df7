import { existsSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import type { TaskHistory } from '../history/taskHistory';
import type { TaskState } from '../trackedTask';

/** Where in its file SQLite counts the changes that were committed to it. */
const CHANGE_COUNTER = { position: 24, length: 4 };

interface Noted {
  readonly version: string;
  readonly states: readonly TaskState[];
}

/**
 * A note beside the task database that nothing is to be done in it as it is: no task is unfinished, needs a person or is to
 * be announced. A window that begins later leaves the database closed for as long as nobody has changed it since.
 */
export class IdleNote {
  readonly #path: string;
  readonly #history: Pick<TaskHistory, 'idleStates'>;
  /** The version in which this window has found nothing to do for itself. */
  #seen: string | undefined;

  /** `path` is that of the database. */
  constructor(path: string, history: Pick<TaskHistory, 'idleStates'>) {
    this.#path = path;
    this.#history = history;
  }

  /** Changes with every commit of any window; undefined where the file cannot be read. */
  async version(): Promise<string | undefined> {
    try {
      await using file = await open(this.#path);
      const { ino } = await file.stat({ bigint: true });
      const { buffer } = await file.read({ ...CHANGE_COUNTER, buffer: Buffer.alloc(CHANGE_COUNTER.length) });
      return `${ino}:${buffer.readUInt32BE()}`;
    } catch {
      return undefined;
    }
  }

  /** Whether a window has found nothing to do in a version of the database: this one for itself, or any one for all. */
  async isIdle(version: string | undefined): Promise<boolean> {
    if (version === undefined) return false;
    return version === this.#seen || version === (await this.#read())?.version;
  }

  /** The states of all tasks where nothing is to be done; undefined where the database has to be read. */
  async states(): Promise<readonly TaskState[] | undefined> {
    if (!existsSync(this.#path)) return [];
    const [version, noted] = await Promise.all([this.version(), this.#read()]);
    return version !== undefined && noted?.version === version ? noted.states : undefined;
  }

  /** Notes of a version in which this window has nothing to do, whether that is so for all. @throws StoreError */
  async note(version: string | undefined): Promise<void> {
    if (version === undefined || version === this.#seen) return;
    const states = await this.#history.idleStates();
    // Changed meanwhile: what was read may be of another version.
    if ((await this.version()) !== version) return;
    this.#seen = version;
    // Where it cannot be written, other windows look for themselves.
    if (states !== undefined) await writeFile(this.#file, JSON.stringify({ version, states })).catch(() => {});
  }

  get #file(): string {
    return `${this.#path}-idle`;
  }

  /** Undefined where there is none, or another window is just writing it. */
  async #read(): Promise<Noted | undefined> {
    try {
      return JSON.parse(await readFile(this.#file, 'utf8'));
    } catch {
      return undefined;
    }
  }
}
