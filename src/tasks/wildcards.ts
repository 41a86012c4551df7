import type { Pattern, Piece } from './automaton';
import { anyChar, inName, readBrackets, sameChar } from './charTests';

/** How patterns for paths are read. */
export interface Dialect {
  readonly ignoreCase: boolean;
  /** Whether `{a,b}` stands for either; and what is never closed for itself: in Git it makes a pattern fit nothing. */
  readonly isLenient: boolean;
  /** Whether `a/**` fits `a` itself. */
  readonly fitsFolder: boolean;
}

/** Nobody writes longer ones by hand, and what is nested in one stays within bounds. */
const MAX_LENGTH = 2000;

/**
 * Reads a pattern for paths, with `*`, `?`, `**` and `[…]`. Undefined where it can fit nothing.
 */
export function readWildcards(text: string, dialect: Dialect): Pattern | undefined {
  return text.length > MAX_LENGTH ? undefined : new Reader(text, dialect).pattern();
}

/** `{…}`: where its commas are, and where it ends. */
interface Braces {
  readonly commas: readonly number[];
  readonly end: number;
}

class Reader {
  readonly #text: string;
  readonly #dialect: Dialect;
  readonly #braces: ReadonlyMap<number, Braces>;
  /** Behind these one way of several begins, and before these it ends. */
  readonly #begins: ReadonlySet<number>;
  readonly #ends: ReadonlySet<number>;
  #at = 0;
  #fitsNothing = false;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
    this.#braces = dialect.isLenient ? findBraces(text) : new Map();
    this.#begins = new Set([...this.#braces].flatMap(([start, { commas }]) => [start, ...commas]));
    this.#ends = new Set([...this.#braces.values()].flatMap(({ commas, end }) => [...commas, end]));
  }

  pattern(): Pattern | undefined {
    const pieces = this.#until(this.#text.length);
    return this.#fitsNothing ? undefined : pieces;
  }

  #until(end: number): Piece[] {
    const pieces: Piece[] = [];
    while (this.#at < end) pieces.push(...this.#next());
    return pieces;
  }

  #next(): Piece[] {
    const { ignoreCase, isLenient } = this.#dialect;
    const at = this.#at++;
    const char = this.#text.charAt(at);
    switch (char) {
      case '*':
        return this.#stars(at);
      case '/':
        return this.#slash(at);
      case '?':
        return [{ one: inName }];
      case '[': {
        const brackets = readBrackets(this.#text, at, ignoreCase);
        if (brackets !== undefined) {
          this.#at = brackets.end;
          return [{ one: brackets.test }];
        }
        break;
      }
      case '\\':
        if (this.#at < this.#text.length) return [this.#char(this.#text.charAt(this.#at++))];
        break;
      case '{': {
        const braces = this.#braces.get(at);
        return braces === undefined ? [this.#char(char)] : [this.#either(braces)];
      }
      default:
        return [this.#char(char)];
    }
    // What begins here has no end.
    this.#fitsNothing ||= !isLenient;
    return [this.#char(char)];
  }

  #either({ commas, end }: Braces): Piece {
    const either = [...commas, end].map((edge) => {
      const way = this.#until(edge);
      this.#at = edge + 1;
      return way;
    });
    return { either };
  }

  /** Two where a whole name could stand are folders, as many as there are or none; else they are a part of a name. */
  #stars(at: number): Piece[] {
    const end = this.#endOfStars(at);
    this.#at = end;
    const begins = at === 0 || this.#text[at - 1] === '/' || this.#begins.has(at - 1);
    const isWhole = begins && (this.#isEnd(end) || this.#text[end] === '/');
    if (!isWhole) return [{ many: inName }];
    // No name is empty.
    if (end - at === 1) return [{ one: inName }, { many: inName }];
    if (this.#isEnd(end)) return [{ many: anyChar }];
    this.#at = end + 1;
    return [{ either: [[], [{ many: anyChar }, this.#char('/')]] }];
  }

  /** With `**` behind it at the end: all below. */
  #slash(at: number): Piece[] {
    const end = this.#endOfStars(this.#at);
    if (end - this.#at < 2 || !this.#isEnd(end)) return [this.#char('/')];
    this.#at = end;
    const below: Piece[] = [this.#char('/'), { one: anyChar }, { many: anyChar }];
    // `*/**` asks for files in folders, and must not fit those beside the folders.
    return this.#dialect.fitsFolder && this.#text[at - 1] !== '*' ? [{ either: [[], below] }] : below;
  }

  #endOfStars(at: number): number {
    let end = at;
    while (this.#text[end] === '*') end += 1;
    return end;
  }

  #isEnd(at: number): boolean {
    return at === this.#text.length || this.#ends.has(at);
  }

  #char(char: string): Piece {
    return { one: sameChar(char, this.#dialect.ignoreCase) };
  }
}

/** The braces that are closed and have a comma, by where they begin. */
function findBraces(text: string): Map<number, Braces> {
  const found = new Map<number, Braces>();
  const open: { start: number; commas: number[] }[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '[') at = (readBrackets(text, at, false)?.end ?? at + 1) - 1;
    else if (char === '{') open.push({ start: at, commas: [] });
    else if (char === ',') open.at(-1)?.commas.push(at);
    else if (char === '}') {
      const closed = open.pop();
      if (closed !== undefined && closed.commas.length > 0) {
        found.set(closed.start, { commas: closed.commas, end: at });
      }
    }
  }
  return found;
}
