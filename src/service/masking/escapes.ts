import { isUnseen } from './isUnseen';

/** The character that an escape stands for, and how long the escape is. */
export interface Escape {
  readonly code: number;
  readonly length: number;
}

export const LINE_FEED = 0x0a;
const NUMBER_SIGN = 0x23;
const PERCENT = 0x25;
const AMPERSAND = 0x26;
const SEMICOLON = 0x3b;
export const BACKSLASH = 0x5c;
const LOWER_N = 0x6e;
const LOWER_R = 0x72;
const LOWER_T = 0x74;
const LOWER_U = 0x75;
const LOWER_X = 0x78;

/** The percent, JSON or HTML escape that begins here, in lower case. */
export function escapeAt(codes: Uint16Array, at: number): Escape | undefined {
  const next = codes[at + 1] ?? 0;
  switch (codes[at]) {
    case PERCENT:
      return next === LOWER_U ? hexEscape(codes, at, 2, 4) : hexEscape(codes, at, 1, 2);
    case BACKSLASH:
      if (next === LOWER_N || next === LOWER_R || next === LOWER_T) return { code: LINE_FEED, length: 2 };
      if (next === LOWER_U) return hexEscape(codes, at, 2, 4);
      return next === LOWER_X ? hexEscape(codes, at, 2, 2) : undefined;
    case AMPERSAND:
      return entityAt(codes, at);
    default:
      return undefined;
  }
}

function hexEscape(codes: Uint16Array, at: number, prefix: number, digits: 2 | 4): Escape | undefined {
  let code = 0;
  for (let index = at + prefix; index < at + prefix + digits; index++) {
    const digit = hexValue(codes[index] ?? 0);
    if (digit < 0) return undefined;
    code = code * 16 + digit;
  }
  // Two digits beyond ASCII are a byte of a longer character.
  return code < 0x80 || (digits === 4 && isUnseen(code)) ? { code, length: prefix + digits } : undefined;
}

/** Room for a named entity, and for a numbered one with some leading zeros. */
const MAX_ENTITY_LENGTH = 16;

function entityAt(codes: Uint16Array, at: number): Escape | undefined {
  let end = at + 1;
  while (end < at + MAX_ENTITY_LENGTH && isEntityCharacter(codes[end] ?? 0)) end += 1;
  if (codes[end] !== SEMICOLON) return undefined;
  const code = entityCode(String.fromCharCode(...codes.subarray(at + 1, end)));
  return code !== undefined && (code < 0x80 || isUnseen(code)) ? { code, length: end + 1 - at } : undefined;
}

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

function isLetter(code: number): boolean {
  return code >= 0x61 && code <= 0x7a;
}

function isEntityCharacter(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39) || code === NUMBER_SIGN;
}
