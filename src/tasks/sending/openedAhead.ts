import type { SourceBody } from '../../service/content/sourceBody';
import type { Clock } from '../timing/clock';
import type { Source } from '../trackedTask';
import type { Sources } from './sources';

/** Max time that a file is held open: another one may have taken its place by then. */
const AHEAD_MS = 1000;

interface Opened {
  readonly body: Promise<SourceBody>;
  readonly endTimeout: () => void;
}

/** Opens the sources of the next imports while others are sent: opening a file takes several turns of the event loop. */
export class OpenedAhead {
  readonly #sources: Pick<Sources, 'open'>;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #opened = new Map<number, Opened>();

  constructor(sources: Pick<Sources, 'open'>, clock: Pick<Clock, 'after'>) {
    this.#sources = sources;
    this.#clock = clock;
  }

  /** Opens a source for {@link open}; closes it where that is not called within a second. */
  prepare(key: number, source: Source): void {
    if (this.#opened.has(key)) return;
    const body = this.#sources.open(source);
    // It is reported where the source is opened.
    body.catch(() => {});
    this.#opened.set(key, { body, endTimeout: this.#clock.after(AHEAD_MS, () => this.#close(key)) });
  }

  /** Opens a source, or gives the one that was prepared. @throws SourceError where it cannot be imported */
  open(source: Source, key: number): Promise<SourceBody> {
    const opened = this.#opened.get(key);
    if (opened === undefined) return this.#sources.open(source);
    this.#opened.delete(key);
    opened.endTimeout();
    return opened.body;
  }

  /** Closes what is open. */
  close(): void {
    for (const key of [...this.#opened.keys()]) this.#close(key);
  }

  #close(key: number): void {
    const opened = this.#opened.get(key);
    this.#opened.delete(key);
    opened?.endTimeout();
    opened?.body.then((body) => body.close()).catch(() => {});
  }
}
