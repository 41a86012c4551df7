import { KEY_MASK } from '../contract/accessKey';
import { isExactNumber } from '../json/exactNumbers';
import { isJsonObject, type Json, leafText } from '../json/json';

/** Min length of a key that is masked: masking a shorter one would spoil every text. */
const MIN_KEY_LENGTH = 4;

/** Min length of what is masked inside other words: a shorter text may be there by chance. */
const MIN_LENGTH_ANYWHERE = 8;

/** Min length of a key that makes an ID secret where it is only a part of it. */
const MIN_LENGTH_IN_ID = 12;

/** How often one text may have been escaped: as JSON in JSON in a URL, for example. */
const MAX_ESCAPINGS = 3;

/**
 * All access keys that this session has known, including replaced and cleared ones, and the one rule of how they are
 * masked: as text whatever its case, as a JSON number, percent-, JSON- or HTML-escaped up to three times, in
 * hexadecimal, and in Base64 wherever the key begins there. Keys of 8 characters or more are masked wherever they
 * stand, shorter ones only as a word of their own, and those of fewer than 4 not at all. Takes time in proportion to
 * the text and to the number of keys.
 */
export class KnownKeys {
  readonly #keys = new Set<string>();
  #spellings: readonly Spelling[] = [];
  /** The keys that are long numbers, rounded as a service that reads them as numbers writes them. */
  readonly #numbers = new Set<number>();
  /** Length of the shortest text that may reveal a key. */
  #minLength = Number.POSITIVE_INFINITY;

  /** Remembers a key until the window closes. */
  add(key: string): void {
    if (key.length < MIN_KEY_LENGTH || this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#spellings = [...this.#spellings, ...spellingsOf(key)];
    if (isLongNumber(key)) this.#numbers.add(Number(key));
    const lengths = this.#spellings.map(({ text }) => text.length);
    this.#minLength = Math.min(...lengths, ...(this.#numbers.size > 0 ? [MIN_LENGTH_ANYWHERE] : []));
  }

  /** The text with every key in it masked. */
  mask(text: string): string {
    const pieces: string[] = [];
    let end = 0;
    for (const range of this.#find(text).sort((one, other) => one.start - other.start)) {
      // One mask stands for keys that overlap.
      if (range.start >= end) pieces.push(text.slice(end, range.start), KEY_MASK);
      end = Math.max(end, range.end);
    }
    return end === 0 ? text : pieces.join('') + text.slice(end);
  }

  /** Masks the texts of an error and of its causes, which may quote a service: its certificate, for one. */
  maskError(error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof AggregateError) for (const each of cause.errors) this.maskError(each);
      cause.message = this.mask(cause.message);
      if (cause.stack !== undefined) cause.stack = this.mask(cause.stack);
    }
  }

  /** The JSON value, as deep as `parseJson` reads it, with every key masked in its strings, names and numbers. */
  maskJson(value: Json): Json {
    return this.#keys.size > 0 && this.#isIn(value) ? this.#maskParts(value) : value;
  }

  /** Whether a key is in any of the texts of a JSON value: looked for in all of them at once, as most have none. */
  #isIn(value: Json): boolean {
    const texts = [...textsIn(value)].filter(({ length }) => length >= this.#minLength);
    // No key has a line break in it, and neither has what a key may be escaped as.
    return this.#find(texts.join('\n')).length > 0 || texts.some((text) => this.#isNumberOfKey(text));
  }

  #maskParts(value: Json): Json {
    if (typeof value === 'string') return this.mask(value);
    if (Array.isArray(value)) return value.map((item) => this.#maskParts(item));
    if (isJsonObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.mask(name), this.#maskParts(item)]));
    }
    if (typeof value !== 'number' && !isExactNumber(value)) return value;
    const digits = leafText(value) ?? '';
    return this.#isNumberOfKey(digits) || this.#find(digits).length > 0 ? KEY_MASK : value;
  }

  /**
   * Whether a text that cannot be masked, such as an ID, reveals a key. A key of fewer than 12 characters may be a part
   * of an ID by chance, so it counts only where it is the whole text.
   */
  isRevealedBy(text: string): boolean {
    if (this.#isNumberOfKey(text)) return true;
    return this.#find(text).some(({ start, end, isLongKey }) => isLongKey || (start === 0 && end === text.length));
  }

  #isNumberOfKey(text: string): boolean {
    return this.#numbers.size > 0 && text.length >= MIN_LENGTH_ANYWHERE && this.#numbers.has(Number(text));
  }

  #find(original: string): Range[] {
    if (original.length < this.#minLength) return [];
    return [...readingsOf(original)].flatMap((reading) =>
      this.#spellings.flatMap((spelling) => rangesOf(spelling, reading)),
    );
  }
}

/** The strings, names and numbers of a JSON value as texts, each name once. */
function textsIn(value: Json): Set<string> {
  const texts = new Set<string>();
  const collect = (one: Json) => {
    if (Array.isArray(one)) one.forEach(collect);
    else if (isJsonObject(one)) {
      for (const name of Object.keys(one)) {
        texts.add(name);
        collect(one[name] ?? null);
      }
    } else texts.add(leafText(one) ?? '');
  };
  collect(value);
  return texts;
}

/** A text that reveals a key, in lower case. */
interface Spelling {
  readonly text: string;
  /** Whether it is masked only where no letter or digit touches it. */
  readonly isWord: boolean;
  readonly isLongKey: boolean;
  /** How many characters before and after it hold bits of the key too, as in Base64. */
  readonly before: number;
  readonly after: number;
}

function spellingsOf(key: string): Spelling[] {
  const isWord = key.length < MIN_LENGTH_ANYWHERE;
  const isLongKey = key.length >= MIN_LENGTH_IN_ID;
  const asText = { isWord, isLongKey, before: 0, after: 0 };
  const encoded = { ...asText, isWord: false };
  // A key may look escaped itself.
  const unescaped = unescapedOnce({ text: key.toLowerCase() })?.text ?? key;
  const spellings = [
    ...[key, unescaped].filter(({ length }) => length >= MIN_KEY_LENGTH).map((text) => ({ ...asText, text })),
    ...[
      { ...encoded, text: Buffer.from(key).toString('hex') },
      { ...encoded, text: isLongNumber(key) ? key.replace(/^0+/, '') : '' },
      ...[0, 1, 2].flatMap((bytesBefore) => {
        const bits = (bytesBefore + key.length) * 8;
        const whole = Buffer.from(' '.repeat(bytesBefore) + key).toString('base64');
        // The characters that depend on the key alone.
        const text = whole.slice(Math.ceil((bytesBefore * 8) / 6), Math.floor(bits / 6));
        const base64 = { ...encoded, text, before: bytesBefore > 0 ? 1 : 0, after: bits % 6 > 0 ? 1 : 0 };
        return [base64, { ...base64, text: text.replaceAll('+', '-').replaceAll('/', '_') }];
      }),
    ].filter(({ text }) => text.length >= MIN_LENGTH_ANYWHERE),
  ].map((spelling) => ({ ...spelling, text: spelling.text.toLowerCase() }));
  return [...new Map(spellings.map((spelling) => [spelling.text, spelling])).values()];
}

function isLongNumber(key: string): boolean {
  return key.length >= MIN_LENGTH_ANYWHERE && /^\d+$/.test(key);
}

/** A part of a text that holds a key. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly isLongKey: boolean;
}

function rangesOf({ text: spelling, isWord, isLongKey, before, after }: Spelling, { text, starts }: Reading): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + spelling.length)) {
    const end = at + spelling.length;
    if (isWord && /[0-9a-z]/.test(text.charAt(at - 1) + text.charAt(end))) continue;
    const first = Math.max(0, at - before);
    const last = Math.min(text.length, end + after);
    ranges.push({ start: starts?.[first] ?? first, end: starts?.[last] ?? last, isLongKey });
  }
  return ranges;
}

/** A text in lower case, and where each of its characters and its end stand in the original if they moved. */
interface Reading {
  readonly text: string;
  readonly starts?: Int32Array;
}

/** The text as it is, and with its escapes undone again and again. */
function* readingsOf(original: string): Generator<Reading> {
  // Of all letters, only İ becomes longer in lower case.
  let reading: Reading | undefined = { text: original.replaceAll('İ', 'i').toLowerCase() };
  for (let escapings = 0; reading !== undefined && escapings <= MAX_ESCAPINGS; escapings++) {
    yield reading;
    reading = unescapedOnce(reading);
  }
}

/** The escapes of printable ASCII in lower case: by two hexadecimal digits, of HTML by number or name, or by a backslash. */
const ESCAPES = /(?:%|\\u00|\\x)([2-7][\da-f])|&#(x?0{0,8}[\da-f]{2,3});|&([a-z]{2,8});|\\(["'/\\])/g;

/** The names that HTML has for what a key can hold. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ excl: '!', quot: '"', num: '#', dollar: '$', percnt: '%', amp: '&', apos: "'", lpar: '(', rpar: ')', ast: '*' },
  ...{ plus: '+', comma: ',', period: '.', sol: '/', colon: ':', semi: ';', lt: '<', equals: '=', gt: '>', quest: '?' },
  ...{ commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', hat: '^', lowbar: '_', grave: '`' },
  ...{ lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
};

/** Undefined where the text has no escapes. */
function unescapedOnce({ text, starts }: Reading): Reading | undefined {
  if (!/[%\\&]/.test(text)) return undefined;
  const pieces: string[] = [];
  const moved = new Int32Array(text.length + 1);
  let length = 0;
  let done = 0;
  const copyStarts = (end: number) => {
    for (; done < end; done++) moved[length++] = starts?.[done] ?? done;
  };
  for (const match of text.matchAll(ESCAPES)) {
    const character = unescapedCharacter(match);
    if (character === undefined) continue;
    pieces.push(text.slice(done, match.index), character);
    copyStarts(match.index + 1);
    done = match.index + match[0].length;
  }
  if (done === 0) return undefined;
  pieces.push(text.slice(done));
  copyStarts(text.length + 1);
  return { text: pieces.join(''), starts: moved };
}

function unescapedCharacter([, hex, number, name, sign]: RegExpExecArray): string | undefined {
  if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
  if (sign !== undefined) return sign;
  return String.fromCharCode(Number(hex === undefined ? `0${number}` : `0x${hex}`)).toLowerCase();
}
