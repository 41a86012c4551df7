/** Whether a character, given by its code unit, fits. */
export type CharTest = (code: number) => boolean;

/** A piece of a pattern: one character, any number of such characters, or one of several ways to go on. */
export type Piece =
  | { readonly one: CharTest }
  | { readonly many: CharTest }
  | { readonly either: readonly (readonly Piece[])[] };

/** What fits a text as a whole, piece by piece. */
export type Pattern = readonly Piece[];

/** Where the reading of a text can stand: in several places of several patterns at once. */
interface Position {
  readonly places: readonly number[];
  /** The last pattern that fits where the text ends here. */
  readonly fit: number | undefined;
  readonly next: Map<number, Position>;
}

/** How many places the known positions may have together: what they take of the memory. */
const MAX_KNOWN = 100_000;

/**
 * Several patterns, made ready to be compared with many texts. A text is read once from its beginning to its end,
 * with all that it may fit so far in view: whatever the patterns are, a text takes no more steps than its length times
 * theirs. A regular expression tries one way after the other, of which a pattern from a stranger can have too many.
 */
export class Automaton {
  /** How many places of patterns were compared with a character so far. */
  steps = 0;
  /** At each place the character that must come, or the pattern that fits here. */
  readonly #tests: (CharTest | undefined)[] = [];
  readonly #fits: (number | undefined)[] = [];
  /** The places that follow: after the character where there is one, or else at once. */
  readonly #following: (readonly number[])[] = [];
  readonly #starts: readonly number[];
  #known = new Map<string, Position>();
  #knownPlaces = 0;
  #first: Position;

  constructor(patterns: readonly Pattern[]) {
    this.#starts = patterns.map((pattern, index) => this.#add(pattern, this.#place(undefined, [], index)));
    this.#first = this.#position(this.#starts);
  }

  /** The number of the last one of the patterns that fit the whole text; undefined where none does. */
  lastFit(text: string): number | undefined {
    let at = this.#first;
    for (let index = 0; index < text.length; index++) {
      if (at.places.length === 0) return undefined;
      const code = text.charCodeAt(index);
      at = at.next.get(code) ?? this.#step(at, code);
    }
    return at.fit;
  }

  #step(from: Position, code: number): Position {
    this.steps += from.places.length;
    const reached = from.places.flatMap((place) =>
      this.#tests[place]?.(code) === true ? (this.#following[place] ?? []) : [],
    );
    const next = this.#position(reached);
    from.next.set(code, next);
    this.#knownPlaces += 1;
    if (this.#knownPlaces > MAX_KNOWN) this.#forget();
    return next;
  }

  /** Where one stands that has reached these places, and at once all that follow without a character. */
  #position(reached: readonly number[]): Position {
    const seen = new Set(reached);
    let fit: number | undefined;
    // What is added to a set while it is walked is walked too.
    for (const place of seen) {
      if (this.#tests[place] !== undefined) continue;
      const fits = this.#fits[place];
      if (fits !== undefined && fits >= (fit ?? 0)) fit = fits;
      for (const next of this.#following[place] ?? []) seen.add(next);
    }
    const places = [...seen].filter((place) => this.#tests[place] !== undefined);
    const name = `${places.join()} ${fit}`;
    const known = this.#known.get(name) ?? { places, fit, next: new Map() };
    if (!this.#known.has(name)) {
      this.#known.set(name, known);
      this.#knownPlaces += places.length + 1;
    }
    return known;
  }

  #forget(): void {
    this.#known = new Map();
    this.#knownPlaces = 0;
    this.#first = this.#position(this.#starts);
  }

  /** Adds what leads through pieces to a place; gives where it begins. */
  #add(pieces: Pattern, end: number): number {
    return pieces.reduceRight((next, piece) => {
      if ('one' in piece) return this.#place(piece.one, [next]);
      if ('either' in piece) {
        const ways = piece.either.map((way) => this.#add(way, next));
        return this.#place(undefined, ways);
      }
      const again: number[] = [];
      const loop = this.#place(undefined, again);
      again.push(this.#place(piece.many, [loop]), next);
      return loop;
    }, end);
  }

  #place(test: CharTest | undefined, following: readonly number[], fits?: number): number {
    this.#following.push(following);
    this.#fits.push(fits);
    return this.#tests.push(test) - 1;
  }
}
