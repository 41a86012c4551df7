import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkAccessKey, KEY_MASK, maskKey, maskKeyInJson } from '../../../src/service/accessKey';

describe('An access key that was typed', () => {
  it('is taken without the white space around it', () => {
    assert.deepEqual(checkAccessKey(' \tak-7f3a!~\r\n'), { key: 'ak-7f3a!~' });
    assert.deepEqual(checkAccessKey('\uFEFFak\u00A0'), { key: 'ak' });
  });

  const faults = {
    '': 'empty',
    ' \n': 'empty',
    'a b': 'inside',
    'a\r\nX-Other: b': 'inside',
    'a\u2028b': 'inside',
    schlüssel: 'characters',
    'a\u0000b': 'characters',
    'a\u007Fb': 'characters',
    'a\u200Bb': 'characters',
    密钥: 'characters',
  };
  for (const [typed, fault] of Object.entries(faults)) {
    it(`${JSON.stringify(typed)} is refused as "${fault}", and not repeated`, () => {
      assert.deepEqual(checkAccessKey(typed), { fault });
    });
  }
});

describe('A masked key', () => {
  const keys = fc.string({
    unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
    minLength: 8,
  });
  const escapes: Record<string, (text: string) => string> = {
    plainly: (text) => text,
    'in JSON': (text) => JSON.stringify(text).slice(1, -1),
    'in JSON that escapes slashes': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
    'in a URL': encodeURIComponent,
    'in a form': (text) => String(new URLSearchParams([[text, '']])).slice(0, -1),
    'in HTML': (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    'in HTML by numbers': (text) => text.replace(/\W/g, (character) => `&#${character.charCodeAt(0)};`),
    'in Base64': (text) => Buffer.from(text).toString('base64'),
    'in upper case': (text) => text.toUpperCase(),
  };
  for (const [where, written] of Object.entries(escapes)) {
    it(`written ${where} is not in the text any more, wherever it stood`, () => {
      fc.assert(
        fc.property(keys, (key) => {
          const masked = maskKey(`<${written(key)}> and ${written(key)}`, key);
          assert.match(masked, new RegExp(`^<${KEY_MASK}=?=?> and ${KEY_MASK}=?=?$`));
        }),
      );
    });
  }

  it('is found without delay where both are all backslashes', () => {
    const key = `${'\\'.repeat(60)}k`;
    assert.equal(maskKey('\\'.repeat(1000), key), '\\'.repeat(1000));
    assert.equal(maskKey(JSON.stringify([key]), key), `["${KEY_MASK}"]`);
  });

  it('leaves all other text as it was', () => {
    assert.equal(maskKey('keys of $& and a.b', 'a+b'), 'keys of $& and a.b');
  });

  it('is masked in strings and property names of JSON', () => {
    const value = { 'my-key': ['my-key', { a: 'x my-key y', n: 1 }] };
    assert.deepEqual(maskKeyInJson(value, 'my-key'), { [KEY_MASK]: [KEY_MASK, { a: `x ${KEY_MASK} y`, n: 1 }] });
  });
});
