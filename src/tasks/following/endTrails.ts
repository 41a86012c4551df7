import { type Aged, AgeOrder, type Toward } from './ageOrder';

/** Max trails from tasks that have just ended. */
const MAX_NEAR = 8;
/** Max tasks that a trail looks past for the next that can be queried. */
const REACH = 32;
/** How much the latest response says of where tasks end, beside all before. */
const LEARNING = 0.15;
/** The share of responses that tell of an end below which a place is still tried from time to time. */
const MIN_SHARE = 0.05;

/** A place where to query. `share` is how many of its latest queries found that a task had ended. */
export interface QueryPlace {
  share: number;
}

/** A place from which tasks may end one after another. */
interface Trail<Entry> extends QueryPlace {
  from: Entry | undefined;
  readonly toward: Toward;
}

/**
 * Learns where tasks end: the oldest first, the newest first, or beside those that have just ended. Each trail, and the
 * turn of all tasks, gets queries by how often it has found an end of late.
 */
export class EndTrails<Entry extends Aged<Entry>> {
  readonly #order: AgeOrder<Entry>;
  readonly #random: () => number;
  readonly #oldest: Trail<Entry> = { from: undefined, toward: 'newer', share: 0.5 };
  readonly #newest: Trail<Entry> = { from: undefined, toward: 'older', share: 0.25 };
  /** The turn of all tasks. */
  readonly #turn: QueryPlace = { share: 0.5 };
  #near: Trail<Entry>[] = [];

  constructor(order: AgeOrder<Entry>, random: () => number) {
    this.#order = order;
    this.#random = random;
  }

  /** Where to query next, and which task: `inTurn` where it is the turn of all tasks, or else the next of a trail that `can` be queried. */
  next(inTurn: Entry | undefined, can: (entry: Entry) => boolean): { entry: Entry; place: QueryPlace } | undefined {
    this.#oldest.from = this.#order.oldest;
    this.#newest.from = this.#order.newest;
    const places = [this.#oldest, this.#newest, ...this.#near].flatMap((place) => {
      const entry = nextOf(place, can);
      return entry === undefined ? [] : [{ entry, place }];
    });
    const choices = [...places, ...(inTurn === undefined ? [] : [{ entry: inTurn, place: this.#turn }])];
    let left = this.#random() * choices.reduce((sum, { place }) => sum + weightOf(place), 0);
    return choices.find(({ place }) => {
      left -= weightOf(place);
      return left < 0;
    });
  }

  /** Notes whether a query at a place found that its task has ended. */
  learn(place: QueryPlace, hasEnded: boolean): void {
    place.share += LEARNING * (Number(hasEnded) - place.share);
    const least = this.#turn.share / 2;
    this.#near = this.#near.filter(({ share }) => share > Math.max(least, MIN_SHARE));
  }

  /** A task has ended, which `place` found, or none of ours: those beside it in age are likely next. */
  ended(entry: Entry, place: QueryPlace | undefined): void {
    if (place !== undefined && place !== this.#turn) return;
    for (const toward of ['older', 'newer'] as const) this.#near.push({ from: entry, toward, share: 0.5 });
    if (this.#near.length <= MAX_NEAR) return;
    this.#near = this.#near.sort((one, other) => other.share - one.share).slice(0, MAX_NEAR);
  }
}

function weightOf({ share }: QueryPlace): number {
  return Math.max(share, MIN_SHARE) ** 2;
}

function nextOf<Entry extends Aged<Entry>>(trail: Trail<Entry>, can: (entry: Entry) => boolean): Entry | undefined {
  trail.from = AgeOrder.present(trail.from, trail.toward);
  let entry = trail.from;
  for (let steps = 0; entry !== undefined && steps < REACH; steps++) {
    if (can(entry)) return entry;
    entry = entry.neighbors[trail.toward];
  }
  return undefined;
}

/** Min ends for a percentile. */
const MIN_ENDS = 20;
/** The ends that count: the latest ones. */
const MAX_ENDS = 200;

/** How long the tasks of a destination take, as far as their ends were seen. */
export class EndDurations {
  readonly #latest: number[] = [];
  #count = 0;
  #tenth: number | undefined;

  /** A task that had not ended after `unfinishedMs` had after `endedMs`: it counts as ended half-way between. */
  add(unfinishedMs: number, endedMs: number): void {
    this.#latest[this.#count % MAX_ENDS] = (unfinishedMs + endedMs) / 2;
    this.#count += 1;
    this.#tenth = undefined;
  }

  /** The time after which a tenth of the tasks have ended; undefined while too few have. */
  get tenthPercentileMs(): number | undefined {
    if (this.#count < MIN_ENDS) return undefined;
    this.#tenth ??= this.#latest.toSorted((one, other) => one - other)[Math.floor(this.#latest.length / 10)];
    return this.#tenth;
  }
}
