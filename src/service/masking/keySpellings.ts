import { unescapedText } from './decodedText';

/** A way in which a text can hold a key, in lower case and without white space. */
export interface KeySpelling {
  readonly text: string;
  /** Whether the character before and the one after hold a part of the key too, as Base64's may. */
  readonly reaches: { readonly before: boolean; readonly after: boolean };
  /** Whether it is looked for wherever it stands, and not only as a word of its own. */
  readonly isAnywhere: boolean;
  /** Whether it gives the key away wherever it stands, so that it is no chance. */
  readonly isTelling: boolean;
}

/** What is shorter is no secret, and masking it would spoil every text. */
export const MIN_KEY_CHARACTERS = 4;

/** What has fewer characters may stand inside another word by chance. */
export const MIN_ANYWHERE = 8;

/** A key of fewer characters may stand inside an id by chance. */
const TELLING_CHARACTERS = 12;

/**
 * The ways in which a service may repeat a key: as it is, with its escapes undone, backwards, in hexadecimal digits, as
 * a number without leading zeros, and in Base64 wherever it begins there. Escapes are undone in the text searched.
 */
export function keySpellings(key: string): KeySpelling[] {
  const within = { before: false, after: false };
  const isTelling = key.length >= TELLING_CHARACTERS;
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
  ].map((spelling) => ({ ...spelling, text: spelling.text.toLowerCase(), isTelling }));
}

/** Of a Base64 text in which so many bytes come before the key, the characters that come of the key alone. */
function inBase64(key: string, bytesBefore: number): Omit<KeySpelling, 'isTelling'>[] {
  const bits = (bytesBefore + key.length) * 8;
  const whole = Buffer.from(' '.repeat(bytesBefore) + key).toString('base64');
  const sure = whole.slice(Math.ceil((bytesBefore * 8) / 6), Math.floor(bits / 6));
  const reaches = { before: bytesBefore > 0, after: bits % 6 > 0 };
  const texts = new Set([sure, sure.replaceAll('+', '-').replaceAll('/', '_')]);
  return [...texts].filter(({ length }) => length >= MIN_ANYWHERE).map((text) => ({ text, reaches, isAnywhere: true }));
}
