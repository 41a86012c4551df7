import { unescapedText } from './decodedText';

/** A way in which a text can hold a key, in lower case and without white space. */
export interface KeySpelling {
  readonly text: string;
  /** Whether the character before and the one after hold bits of the key too, as in Base64. */
  readonly reaches: { readonly before: boolean; readonly after: boolean };
  /** Whether it is masked wherever it stands, and not only as a word of its own. */
  readonly isAnywhere: boolean;
  /** Whether a text that contains it reveals the key, as that cannot be by chance. */
  readonly isRevealing: boolean;
}

/** Min length of a key that is masked: masking a shorter one would spoil every text. */
export const MIN_KEY_CHARACTERS = 4;

/** Min length of a spelling that is masked inside other words: a shorter one may be there by chance. */
export const MIN_ANYWHERE = 8;

/** Min length of a key that an id reveals: a shorter one may be part of it by chance. */
const MIN_REVEALING = 12;

/**
 * The ways in which a service may repeat a key: as it is, with its escapes undone, backwards, in hexadecimal digits, as
 * a number without leading zeros, and in Base64 wherever it begins there. Escapes are undone in the text searched.
 */
export function keySpellings(key: string): KeySpelling[] {
  const within = { before: false, after: false };
  const isRevealing = key.length >= MIN_REVEALING;
  const backwards = [...key].reverse().join('');
  const words = [...new Set([key, unescapedText(key).text])].filter(({ length }) => length >= MIN_KEY_CHARACTERS);
  const derived = [
    backwards,
    unescapedText(backwards).text,
    Buffer.from(key).toString('hex'),
    /^\d+$/.test(key) ? key.replace(/^0+/, '') : '',
  ].filter(({ length }) => length >= MIN_ANYWHERE);
  return [
    ...words.map((text) => ({ text, reaches: within, isAnywhere: key.length >= MIN_ANYWHERE })),
    ...derived.map((text) => ({ text, reaches: within, isAnywhere: true })),
    ...[0, 1, 2].flatMap((bytesBefore) => inBase64(key, bytesBefore)),
  ].map((spelling) => ({ ...spelling, text: spelling.text.toLowerCase(), isRevealing }));
}

/** Of a Base64 text in which so many bytes come before the key, the characters that come of the key alone. */
function inBase64(key: string, bytesBefore: number): Omit<KeySpelling, 'isRevealing'>[] {
  const bits = (bytesBefore + key.length) * 8;
  const whole = Buffer.from(' '.repeat(bytesBefore) + key).toString('base64');
  const sure = whole.slice(Math.ceil((bytesBefore * 8) / 6), Math.floor(bits / 6));
  const reaches = { before: bytesBefore > 0, after: bits % 6 > 0 };
  const texts = new Set([sure, sure.replaceAll('+', '-').replaceAll('/', '_')]);
  return [...texts].filter(({ length }) => length >= MIN_ANYWHERE).map((text) => ({ text, reaches, isAnywhere: true }));
}
