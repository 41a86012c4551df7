import { KEY_MASK } from '../contract/accessKey';
import { isExactNumber, isJsonObject, type Json, type JsonObject, leafText } from '../json/json';
import { type DecodedText, decodedText, unescapedText, withoutTags } from './decodedText';
import { type KeySpelling, keySpellings, MIN_ANYWHERE, MIN_KEY_CHARACTERS } from './keySpellings';

/**
 * All access keys that this session has known, also those that were replaced or cleared, and the one rule of how they
 * are masked. A key is masked in every spelling of `keySpellings`: in any case; with each character escaped for a URL,
 * JSON or HTML, once or many times; split by white space, unseen characters or tags. Keys of 8 characters or more are
 * masked wherever they stand; shorter ones only where no letter or digit touches them, as they may be part of another
 * word; those of fewer than 4 not at all. Masking takes time in proportion to the text and to the number of keys.
 */
export class KnownKeys {
  readonly #keys = new Set<string>();
  /** The keys that are all digits, as numbers. */
  readonly #numbers = new Set<number>();
  #spellings: readonly KeySpelling[] = [];
  #minLength = Number.POSITIVE_INFINITY;

  /** Remembers a key until the window closes. */
  add(key: string): void {
    if (key.length < MIN_KEY_CHARACTERS || this.#keys.has(key)) return;
    this.#keys.add(key);
    if (key.length >= MIN_ANYWHERE && /^\d+$/.test(key)) this.#numbers.add(Number(key));
    this.#spellings = [...this.#keys].flatMap(keySpellings);
    this.#minLength = Math.min(...this.#spellings.map(({ text }) => text.length));
  }

  /** The text with every key in it masked. */
  mask(text: string): string {
    const ranges = this.#find(text);
    if (ranges.length === 0) return text;
    const pieces: string[] = [];
    let done = 0;
    for (const { start, end } of joined(ranges)) {
      pieces.push(text.slice(done, start), KEY_MASK);
      done = end;
    }
    return pieces.join('') + text.slice(done);
  }

  /** Masks the texts of an error and of its causes, which may quote a service: its certificate, for one. */
  maskError(error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof AggregateError) for (const each of cause.errors) this.maskError(each);
      cause.message = this.mask(cause.message);
      if (cause.stack !== undefined) cause.stack = this.mask(cause.stack);
    }
  }

  /** The JSON value with every key masked in its strings, property names and numbers, however deep it is. */
  maskJson(value: Json): Json {
    if (this.#keys.size === 0) return value;
    const waiting: Branch[] = [];
    const copyOf = (item: Json): Json => {
      if (Array.isArray(item)) return branch({ from: item, into: [] });
      return isJsonObject(item) ? branch({ from: item, into: {} }) : this.#maskLeaf(item);
    };
    const branch = (begun: Branch): Json => {
      waiting.push(begun);
      return begun.into;
    };
    const masked = copyOf(value);
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { from, into } = next;
      if (Array.isArray(into)) for (const item of from as readonly Json[]) into.push(copyOf(item));
      else for (const [name, item] of Object.entries(from)) put(into, this.mask(name), copyOf(item));
    }
    return masked;
  }

  /**
   * Whether a text that cannot be masked, such as an id, reveals a key. A key of fewer than 12 characters may be a part
   * of an id by chance, so it counts only where it is the whole text.
   */
  isRevealedBy(text: string): boolean {
    if (this.#isNumberOfKey(text)) return true;
    return this.#find(text).some(({ start, end, isRevealing }) => isRevealing || (start === 0 && end === text.length));
  }

  #maskLeaf(leaf: Json): Json {
    if (typeof leaf === 'string') return this.mask(leaf);
    if (typeof leaf !== 'number' && !isExactNumber(leaf)) return leaf;
    const text = leafText(leaf) ?? '';
    return this.#isNumberOfKey(text) || this.#find(text).length > 0 ? KEY_MASK : leaf;
  }

  /** A service that reads a long key of digits as a number writes it rounded. */
  #isNumberOfKey(text: string): boolean {
    return text.length >= MIN_ANYWHERE && this.#numbers.has(Number(text));
  }

  #find(original: string): Range[] {
    if (original.length < this.#minLength) return [];
    const readings = [decodedText(original)];
    if (/[%&\\]/.test(original)) readings.push(unescapedText(original));
    // Looked through with the tags too, as one may hold a key.
    const tagless = readings.filter(({ text }) => /<[^<>]+>/.test(text)).map(withoutTags);
    return [...readings, ...tagless].flatMap((reading) => this.#rangesIn(reading, original));
  }

  #rangesIn({ text, starts, ends }: DecodedText, original: string): Range[] {
    const ranges: Range[] = [];
    for (const { text: spelling, reaches, isAnywhere, isRevealing } of this.#spellings) {
      for (let first = text.indexOf(spelling); first !== -1; first = text.indexOf(spelling, first + 1)) {
        const last = first + spelling.length - 1;
        const range = {
          start: starts[reaches.before ? Math.max(0, first - 1) : first] ?? 0,
          end: ends[reaches.after ? Math.min(text.length - 1, last + 1) : last] ?? 0,
          isRevealing,
        };
        if (isAnywhere || isWord(original, range)) ranges.push(range);
      }
    }
    return ranges;
  }
}

/** A list or an object, and its copy that is still to be filled. */
interface Branch {
  readonly from: readonly Json[] | JsonObject;
  readonly into: Json[] | Record<string, Json>;
}

/** A part of a text that holds a key. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly isRevealing: boolean;
}

/** Where keys overlap or touch, as one that is found with its escapes and without does, one mask stands for all. */
function joined(ranges: readonly Range[]): { start: number; end: number }[] {
  const all: { start: number; end: number }[] = [];
  for (const { start, end } of ranges.toSorted((one, other) => one.start - other.start)) {
    const last = all.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else all.push({ start, end });
  }
  return all;
}

function isWord(text: string, { start, end }: Range): boolean {
  const isTouched = /[0-9a-z]/i.test(text.charAt(start - 1) + text.charAt(end));
  return !isTouched && !/[\s<]/.test(text.slice(start, end));
}

/** A name of JSON may be `__proto__`. */
function put(into: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') into[name] = value;
  else Object.defineProperty(into, name, { value, configurable: true, enumerable: true, writable: true });
}
