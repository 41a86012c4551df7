import type { SourceBody } from '../../service/content/sourceBody';
import type { Clock } from '../timing/clock';
import type { Source } from '../trackedTask';
import type { Prepared } from './files';
import type { Sources } from './sources';

/** Max age of what was read: an older file is looked at again before it is sent. */
const FRESH_MS = 1000;

interface Ahead {
  readonly atMs: number;
  readonly prepared: Promise<Prepared | undefined>;
}

/** Reads the files of the next imports, a group at a time, while others are sent. */
export class PreparedAhead {
  readonly #sources: Pick<Sources, 'prepare' | 'isUnchanged' | 'open'>;
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #ahead = new Map<number, Ahead>();

  constructor(sources: Pick<Sources, 'prepare' | 'isUnchanged' | 'open'>, clock: Pick<Clock, 'monotonicMs'>) {
    this.#sources = sources;
    this.#clock = clock;
  }

  /** Reads the files of these imports, once half of them aren't read yet. */
  prepare(next: readonly (readonly [key: number, source: Source])[]): void {
    const wanted = next.filter(([key]) => !this.#ahead.has(key));
    if (wanted.length === 0 || wanted.length * 2 < next.length) return;
    const atMs = this.#clock.monotonicMs();
    // If reading fails, the file is read again when it is opened, which reports why.
    const group = this.#sources.prepare(wanted.map(([, source]) => source)).catch(() => []);
    for (const [index, [key]] of wanted.entries())
      this.#ahead.set(key, { atMs, prepared: group.then((files) => files[index]) });
  }

  /** Opens a source, which may have been read ahead. @throws SourceError if it can't be sent now */
  async open(source: Source, key: number): Promise<SourceBody> {
    const ahead = this.#ahead.get(key);
    this.#ahead.delete(key);
    const prepared = await ahead?.prepared;
    return this.#sources.open(source, (await this.#isUsable(source, prepared, ahead?.atMs)) ? prepared : undefined);
  }

  /** Forgets what was read. */
  clear(): void {
    this.#ahead.clear();
  }

  async #isUsable(source: Source, prepared: Prepared | undefined, atMs = 0): Promise<boolean> {
    if (prepared === undefined) return false;
    if (this.#clock.monotonicMs() - atMs <= FRESH_MS) return true;
    return prepared.kind === 'small' && (await this.#sources.isUnchanged(source, prepared));
  }
}
