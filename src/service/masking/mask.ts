import type { TaskId } from '../json/taskId';

/** The text that is shown and stored in place of an access key. */
export const KEY_MASK = '••••••••';

/** Min length of keys that are masked. Shorter keys would match ordinary text. */
const MIN_KEY_LENGTH = 4;

/** Min length of keys that are masked inside longer words and in Base64, where shorter keys may occur by chance. */
const MIN_LENGTH_ANYWHERE = 8;

/**
 * A string in JSON, or a token outside of strings. A string without a closing quote is matched to the end of the text, so that
 * a search takes linear time even if the text isn't JSON.
 */
const JSON_TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[^\s"[\]{}:,]+/gs;

/**
 * All access keys used in this session, including replaced and deleted keys. Masks each key regardless of case, even if it is
 * escaped for JSON (once or twice), URLs or HTML, or encoded in Base64.
 */
export class KnownKeys {
  /** Patterns by key, with the longest key first, because a longer key may contain a shorter one. */
  #patterns = new Map<string, RegExp>();

  /** Remembers a key until the window closes. */
  add(key: string): void {
    if (key.length < MIN_KEY_LENGTH || this.#patterns.has(key)) return;
    const patterns = [...this.#patterns, [key, new RegExp(spellingsOf(key), 'gi')] as const];
    this.#patterns = new Map(patterns.sort(([one], [other]) => other.length - one.length));
  }

  /** Returns the text with all keys masked. */
  mask(text: string): string {
    let masked = text;
    for (const pattern of this.#patterns.values()) masked = masked.replace(pattern, KEY_MASK);
    return masked;
  }

  /**
   * Like `mask`, but JSON stays valid: a number that contains a key becomes a string. @throws SyntaxError if the text isn't
   * JSON
   */
  maskJson(text: string): string {
    if (!text.includes('\\') && this.mask(text) === text) return text;
    return text.replace(JSON_TOKEN, (token) => {
      // JSON may escape characters of an encoded key, such as + in Base64.
      if (!token.includes('\\') && this.mask(token) === token) return token;
      const value = token.startsWith('"') ? JSON.parse(token) : token;
      const masked = this.mask(value);
      return masked === value ? token : JSON.stringify(masked);
    });
  }

  /** Masks the messages of an error and its causes. They may quote text from the service, such as its certificate. */
  maskError(error: unknown): void {
    for (let cause = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof AggregateError) for (const each of cause.errors) this.maskError(each);
      cause.message = this.mask(cause.message);
      if (cause.stack !== undefined) cause.stack = this.mask(cause.stack);
    }
  }
}

/** The ID as the service knows it, with the mask replaced by the key. */
export function withKey(id: TaskId, key: string): TaskId {
  return id.replaceAll(KEY_MASK, () => JSON.stringify(key).slice(1, -1)) as TaskId;
}

/**
 * A regular expression for all spellings of a key, with longer spellings first. No text matches in more than one way,
 * so a search takes linear time.
 */
function spellingsOf(key: string): string {
  const each = (spell: (char: string) => string) => [...key].map((char) => `(?:${spell(char)})`).join('');
  const escaped = [
    each((char) => jsonSpellings(char, 2)),
    each((char) => jsonSpellings(char, 1)),
    each((char) => (char === '%' ? '%25' : `${literal(char)}|%(?:${codes(char, 16)})`)),
    // In HTML inside JSON, backslashes are doubled.
    each((char) => (char === '\\' ? literal(char).repeat(2) : htmlSpellings(char))),
    each(htmlSpellings),
    each(literal),
  ].join('|');
  if (key.length < MIN_LENGTH_ANYWHERE) return `(?<![0-9a-z])(?:${escaped})(?![0-9a-z])`;
  return [escaped, ...[0, 1, 2].map((bytesBefore) => base64Spelling(key, bytesBefore))].join('|');
}

/**
 * A pattern for a character that was escaped for JSON once or twice. Each time, escaping adds a backslash before every
 * backslash and quote.
 */
function jsonSpellings(char: string, times: 1 | 2): string {
  const backslashes = (count: number) => '\\\\'.repeat(count);
  const byNumber = `${backslashes(times)}u00(?:${codes(char, 16)})`;
  if (char === '\\') return `${backslashes(2 * times)}|${byNumber}`;
  if (char === '"') return `${backslashes(2 * times - 1)}"|${byNumber}`;
  return `${literal(char)}|${byNumber}`;
}

const HTML_NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function htmlSpellings(char: string): string {
  const escapes = [`#0*(?:${codes(char, 10)})`, `#x0*(?:${codes(char, 16)})`, HTML_NAMES[char]].filter(Boolean);
  return `${char === '&' ? '' : `${literal(char)}|`}&(?:${escapes.join('|')});`;
}

/**
 * The Base64 characters that depend only on the key. `bytesBefore` is the number of bytes that precede the key in its
 * first three-byte group.
 */
function base64Spelling(key: string, bytesBefore: number): string {
  const whole = Buffer.from(' '.repeat(bytesBefore) + key).toString('base64');
  const own = whole.slice(Math.ceil((bytesBefore * 8) / 6), Math.floor(((bytesBefore + key.length) * 8) / 6));
  // URL-safe Base64 has - and _ instead of + and /.
  return own.replaceAll('+', '[+-]').replaceAll('/', `(?:${literal('/')}|_)`);
}

/** A character's codes in upper and lower case, as alternatives in a regular expression. */
function codes(char: string, radix: number): string {
  return [char.toUpperCase(), char.toLowerCase()].map((each) => each.charCodeAt(0).toString(radix)).join('|');
}

function literal(char: string): string {
  // PHP escapes slashes in JSON.
  if (char === '/') return '\\\\{0,2}/';
  return /\w/.test(char) ? char : `\\${char}`;
}
