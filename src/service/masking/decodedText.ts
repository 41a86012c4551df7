import { BACKSLASH, escapeAt, LINE_FEED } from './escapes';
import { isUnseen } from './isUnseen';

/** A text as keys are looked for in it: lower case, without white space, control and zero-width characters. */
export interface DecodedText {
  readonly text: string;
  /** Where each of its characters begins in the original. */
  readonly starts: Int32Array;
  /** Where each of its characters ends in the original. */
  readonly ends: Int32Array;
}

/** Decodes a text; its escapes stay as they are. */
export function decodedText(original: string): DecodedText {
  const decoder = new Decoder(original.length);
  for (let at = original.length - 1; at >= 0; at--) decoder.prepend(original.charCodeAt(at), at, at + 1);
  return decoder.decoded();
}

/**
 * Decodes a text and undoes its percent, JSON and HTML escapes, however often one was escaped again. Other backslashes
 * are left out. Takes time in proportion to the text.
 */
export function unescapedText(original: string): DecodedText {
  const decoder = new Decoder(original.length);
  for (let at = original.length - 1; at >= 0; at--) {
    decoder.prepend(original.charCodeAt(at), at, at + 1);
    decoder.undoEscapes();
  }
  decoder.dropBackslashes();
  return decoder.decoded();
}

const TAGS = /<[a-z/!?][^<>]*>/g;

/** The same without HTML tags. */
export function withoutTags({ text, starts, ends }: DecodedText): DecodedText {
  const isInTag = new Uint8Array(text.length);
  for (const { index, 0: tag } of text.matchAll(TAGS)) isInTag.fill(1, index, index + tag.length);
  const isOutside = (_: number, at: number) => isInTag[at] === 0;
  return { text: text.replaceAll(TAGS, ''), starts: starts.filter(isOutside), ends: ends.filter(isOutside) };
}

/**
 * Takes the characters of a text from its last to its first, so that whatever follows the beginning of an escape is
 * decoded when that is reached.
 */
class Decoder {
  readonly #codes: Uint16Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #first: number;
  /** Where the escape that was undone last begins in the original, of those with a backslash. */
  #escapeStart = -1;
  /** Whether that was `\n` or the like. */
  #isLineFeed = false;

  constructor(length: number) {
    this.#codes = new Uint16Array(length);
    this.#starts = new Int32Array(length);
    this.#ends = new Int32Array(length);
    this.#first = length;
  }

  prepend(code: number, start: number, end: number): void {
    if (isUnseen(code) || this.#isPartOfEscape(code, start, end)) {
      if (end === this.#escapeStart) this.#escapeStart = start;
      return;
    }
    this.#first -= 1;
    this.#codes[this.#first] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    this.#starts[this.#first] = start;
    this.#ends[this.#first] = end;
  }

  /** Undoes the escape at the beginning, and each one that this makes. */
  undoEscapes(): void {
    for (;;) {
      const found = escapeAt(this.#codes, this.#first);
      if (found === undefined) return;
      const hasBackslash = this.#codes[this.#first] === BACKSLASH;
      const start = this.#starts[this.#first] ?? 0;
      this.#first += found.length;
      this.prepend(found.code, start, this.#ends[this.#first - 1] ?? 0);
      if (!hasBackslash) continue;
      this.#escapeStart = start;
      this.#isLineFeed = found.code === LINE_FEED;
    }
  }

  dropBackslashes(): void {
    let kept = this.#codes.length;
    for (let at = kept - 1; at >= this.#first; at--) {
      if (this.#codes[at] === BACKSLASH) continue;
      kept -= 1;
      this.#codes[kept] = this.#codes[at] ?? 0;
      this.#starts[kept] = this.#starts[at] ?? 0;
      this.#ends[kept] = this.#ends[at] ?? 0;
    }
    this.#first = kept;
  }

  /** Whether this is one more backslash of an escape that was escaped again. One that was escaped itself may be a key's. */
  #isPartOfEscape(code: number, start: number, end: number): boolean {
    return code === BACKSLASH && end === this.#escapeStart && (this.#isLineFeed || end - start === 1);
  }

  decoded(): DecodedText {
    return {
      text: Buffer.from(this.#codes.buffer, this.#first * this.#codes.BYTES_PER_ELEMENT).toString('utf16le'),
      starts: this.#starts.subarray(this.#first),
      ends: this.#ends.subarray(this.#first),
    };
  }
}
