/** All the ways of writing a secret that we mask, keyed by description. */
export function spellings(secret: string): Readonly<Record<string, string>> {
  const json = JSON.stringify(secret).slice(1, -1);
  const each = (write: (character: string, code: number) => string) =>
    [...secret].map((character) => write(character, character.charCodeAt(0))).join('');
  return {
    literally: secret,
    'in upper case': secret.toUpperCase(),
    'in lower case': secret.toLowerCase(),
    'in a URL': encodeURIComponent(secret),
    'in a URL with every character percent-encoded': each((_, code) => `%${code.toString(16)}`),
    'in JSON': json,
    'in JSON that escapes slashes': json.replaceAll('/', '\\/'),
    'in JSON as Unicode escapes': each((_, code) => `\\u00${code.toString(16).toUpperCase()}`),
    'in HTML as named entities': each((character) => htmlNames[character] ?? character),
    'in HTML as decimal entities': each((_, code) => `&#${code};`),
    'in HTML as hexadecimal entities': each((_, code) => `&#x${code.toString(16)};`),
    'in Base64': Buffer.from(secret).toString('base64'),
    'in Base64 after one byte': inBase64(secret, 1),
    'in Base64 after two bytes': inBase64(secret, 2),
    'in Base64 for URLs': Buffer.from(secret).toString('base64url'),
  };
}

/** Lowercase strings that must not occur in masked text, because each of them reveals the secret. */
export function telltales(secret: string): readonly string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const bytes = shift + secret.length;
    const whole = Buffer.from('x'.repeat(shift) + secret).toString('base64');
    return whole.slice(Math.ceil((shift * 8) / 6), Math.floor((bytes * 8) / 6));
  });
  const urlBase64 = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  const all = [...Object.values(spellings(secret)), ...base64, ...urlBase64];
  return [...new Set(all.map((text) => text.toLowerCase()))];
}

function inBase64(secret: string, shift: number): string {
  return Buffer.from(`${'x'.repeat(shift)}${secret}`).toString('base64');
}

const htmlNames: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '"': '&quot;',
  "'": '&apos;',
  '<': '&lt;',
  '>': '&gt;',
};
