/**
 * Reads texts as they are meant: lower case, without white space, control and zero-width characters, and where wanted
 * with their percent, JSON and HTML escapes undone, however often one was escaped again. Each character remembers where
 * in the text it came from. Takes time in proportion to the text. Its arrays are used again and again.
 */
export class DecodedText {
  codes = new Uint16Array(256);
  /** Where each character begins in the text. */
  starts = new Int32Array(256);
  /** Where each character ends in the text. */
  ends = new Int32Array(256);
  length = 0;

  /** Reads a text as it stands. */
  readPlain(text: string): void {
    this.#clear(text.length);
    for (let at = 0; at < text.length; at++) this.#push(text.charCodeAt(at), at, at + 1);
  }

  /** Reads a text with its escapes undone. Backslashes that escape nothing known are left out. */
  readEscaped(text: string): void {
    this.#clear(text.length);
    for (let at = 0; at < text.length; at++) {
      this.#push(text.charCodeAt(at), at, at + 1);
      while (this.#undoEscape());
    }
    this.#keep((at) => this.codes[at] !== BACKSLASH);
  }

  /** Leaves out the tags of what was read. */
  leaveOutTags(): void {
    let tagEnd = -1;
    this.#keep((at) => {
      if (at > tagEnd && this.codes[at] === LESS_THAN) tagEnd = this.#tagEnd(at);
      return at > tagEnd;
    });
  }

  #clear(capacity: number): void {
    this.length = 0;
    if (this.codes.length >= capacity) return;
    this.codes = new Uint16Array(capacity);
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
  }

  #push(code: number, start: number, end: number): void {
    if (isUnseen(code)) return;
    this.codes[this.length] = code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
    this.starts[this.length] = start;
    this.ends[this.length] = end;
    this.length++;
  }

  /** Undoes the escape at the end of what was read; false where there is none. It may end in a new one. */
  #undoEscape(): boolean {
    const last = this.#fromEnd(1);
    if (last === SEMICOLON) return this.#undoEntity();
    if ((last === LOWER_N || last === LOWER_R || last === LOWER_T) && this.#fromEnd(2) === BACKSLASH) {
      return this.#replace(2, LINE_FEED);
    }
    if (hexValue(last) < 0) return false;
    const lead = this.#fromEnd(3);
    if (lead === PERCENT) return this.#undoHex(3, 2);
    if (lead === LOWER_X && this.#fromEnd(4) === BACKSLASH) return this.#undoHex(4, 2);
    if (this.#fromEnd(5) !== LOWER_U) return false;
    const first = this.#fromEnd(6);
    return (first === BACKSLASH || first === PERCENT) && this.#undoHex(6, 4);
  }

  #undoHex(escapeLength: number, digits: number): boolean {
    let code = 0;
    for (let at = digits; at > 0; at--) {
      const digit = hexValue(this.#fromEnd(at));
      if (digit < 0) return false;
      code = code * 16 + digit;
    }
    return isPlain(code, digits > 2) && this.#replace(escapeLength, code);
  }

  #undoEntity(): boolean {
    for (let back = 2; back <= MAX_ENTITY_LENGTH; back++) {
      const code = this.#fromEnd(back);
      if (code === SEMICOLON) return false;
      if (code !== AMPERSAND) continue;
      const at = this.length - back;
      const meant = entityCode(String.fromCharCode(...this.codes.subarray(at + 1, this.length - 1)));
      return meant !== undefined && isPlain(meant, true) && this.#replace(back, meant);
    }
    return false;
  }

  #replace(count: number, code: number): boolean {
    let at = this.length - count;
    // What was escaped again has several; one that was escaped itself is no part of the next escape.
    if (this.codes[at] === BACKSLASH) while (this.#isBackslash(at - 1, code === LINE_FEED)) at--;
    const start = this.starts[at] ?? 0;
    const end = this.ends[this.length - 1] ?? 0;
    this.length = at;
    this.#push(code, start, end);
    return this.length > 0;
  }

  #isBackslash(at: number, orEscaped: boolean): boolean {
    return this.codes[at] === BACKSLASH && (orEscaped || (this.ends[at] ?? 0) - (this.starts[at] ?? 0) === 1);
  }

  #fromEnd(back: number): number {
    return this.codes[this.length - back] ?? 0;
  }

  /** Where the tag ends that begins here; just before here where none does. */
  #tagEnd(at: number): number {
    const next = this.codes[at + 1] ?? 0;
    const beginsTag = (next >= 0x61 && next <= 0x7a) || next === SLASH || next === EXCLAMATION || next === QUESTION;
    if (!beginsTag) return at - 1;
    for (let end = at + 1; end < this.length; end++) {
      const code = this.codes[end];
      if (code === GREATER_THAN) return end;
      // Text behind a lone < is looked through only once.
      if (code === LESS_THAN) return at - 1;
    }
    return at - 1;
  }

  #keep(wanted: (at: number) => boolean): void {
    let kept = 0;
    for (let at = 0; at < this.length; at++) {
      if (!wanted(at)) continue;
      this.codes[kept] = this.codes[at] ?? 0;
      this.starts[kept] = this.starts[at] ?? 0;
      this.ends[kept] = this.ends[at] ?? 0;
      kept++;
    }
    this.length = kept;
  }
}

const LINE_FEED = 0x0a;
const EXCLAMATION = 0x21;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SLASH = 0x2f;
const SEMICOLON = 0x3b;
const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const QUESTION = 0x3f;
const BACKSLASH = 0x5c;
const LOWER_N = 0x6e;
const LOWER_R = 0x72;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const LOWER_X = 0x78;

/** Room for a named entity, and for a numbered one with some leading zeros. */
const MAX_ENTITY_LENGTH = 16;

/** The named entities of what a key can hold, and of spaces, in lower case. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ excl: '!', quot: '"', num: '#', dollar: '$', percnt: '%', amp: '&', apos: "'", lpar: '(', rpar: ')', ast: '*' },
  ...{ midast: '*', plus: '+', comma: ',', period: '.', sol: '/', colon: ':', semi: ';', lt: '<', equals: '=' },
  ...{ gt: '>', quest: '?', commat: '@', lsqb: '[', lbrack: '[', bsol: '\\', rsqb: ']', rbrack: ']', hat: '^' },
  ...{ lowbar: '_', underbar: '_', grave: '`', lcub: '{', lbrace: '{', verbar: '|', vert: '|', rcub: '}', rbrace: '}' },
  ...{ nbsp: ' ', shy: ' ', zwnj: ' ', zwj: ' ', newline: ' ', tab: ' ' },
};

function entityCode(name: string): number | undefined {
  const [, hex, decimal] = /^#(?:x([0-9a-f]+)|(\d+))$/.exec(name) ?? [];
  if (hex !== undefined) return Number.parseInt(hex, 16) & 0xffff;
  if (decimal !== undefined) return Number(decimal) & 0xffff;
  return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]?.charCodeAt(0) : undefined;
}

function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  return code >= 0x61 && code <= 0x66 ? code - 0x57 : -1;
}

/** What a key may hold or may be split by. Two digits beyond ASCII are a part of a character. */
function isPlain(code: number, isWhole: boolean): boolean {
  return code < 0x80 || (isWhole && isUnseen(code));
}

/** White space, control and zero-width characters: no key holds one, and a key that was split may hold many. */
function isUnseen(code: number): boolean {
  if (code > 0x20 && code < 0x7f) return false;
  if (code <= 0xa0) return true;
  return (
    code === 0xad ||
    code === 0x3000 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200f) ||
    (code >= 0x2028 && code <= 0x202f) ||
    (code >= 0x205f && code <= 0x206f)
  );
}
