import assert from 'node:assert/strict';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { KEY_MASK, KnownKeys, withKey } from '../../../../src/service/masking/mask';
import { fc } from '../../seededFastCheck';
import { spellings, telltales } from '../spellings';

const MIB = 1024 * 1024;

function knowing(...keys: readonly string[]): KnownKeys {
  const known = new KnownKeys();
  for (const key of keys) known.add(key);
  return known;
}

describe('Access keys', () => {
  const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const keys = fc.string({ unit: printable, minLength: 8 });

  for (const name of Object.keys(spellings('key'))) {
    it(`are masked when written ${name}, without changing the surrounding text`, () => {
      fc.assert(
        fc.property(keys, (key) => {
          const written = spellings(key)[name] ?? '';
          // The padding, and Base64 characters that also encode bytes next to the key, may remain unmasked.
          const [before, after] = name.startsWith('in Base64') ? ['[\\w+/]{0,3}', '[\\w+/-]?=*'] : ['', ''];
          const masked = knowing(key).mask(`<p> ${written} </p> and (${written})`);
          const one = `${before}${KEY_MASK}${after}`;
          assert.match(masked, new RegExp(`^<p> ${one} </p> and \\(${one}\\)$`));
          for (const telltale of telltales(key)) assert.ok(!masked.toLowerCase().includes(telltale), masked);
        }),
        { seed: 1 },
      );
    });

    it(`are masked when written ${name} inside a JSON document, without making it invalid`, () => {
      fc.assert(
        fc.property(keys, (key) => {
          const written = `\n${spellings(key)[name]}\n`;
          const text = JSON.stringify({ [written]: [written, 1.5, null] });
          // .NET escapes these characters, too.
          const escaped = text.replaceAll(/[+&<>'`]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`);
          for (const json of [text, escaped]) {
            const masked = stringifyJson(parseJson(knowing(key).maskJson(json))).toLowerCase();
            for (const telltale of telltales(key)) assert.ok(!masked.includes(telltale), masked);
          }
        }),
        { seed: 1 },
      );
    });
  }

  it('are masked in Base64 at any offset', () => {
    for (const before of ['', 'u', 'us', 'use', 'user']) {
      for (const after of ['', '!', '!!', '!!!']) {
        const text = Buffer.from(`${before}:my-secret-key-1${after}`).toString('base64');
        const masked = knowing('my-secret-key-1').mask(text);
        assert.ok(masked.includes(KEY_MASK), text);
        assert.doesNotMatch(Buffer.from(masked.replaceAll(/•/g, 'A'), 'base64').toString(), /secret|key/);
      }
    }
  });

  it('are masked when Base64-encoded, even if the slashes are escaped in JSON', () => {
    const key = 'key-?>?>?>?-1';
    const base64 = Buffer.from(key).toString('base64');
    assert.match(base64, /\//);
    const masked = knowing(key).maskJson(`["${base64.replaceAll('/', '\\/')}"]`);
    assert.ok(masked.startsWith(`["${KEY_MASK}`), masked);
  });

  it('are all masked, even if they are next to each other or one contains another', () => {
    const [first, second, longer] = ['first-key-0001', 'second-key-002', 'first-key-0001-b'];
    const known = knowing(first, second, longer);
    assert.equal(known.mask(`${first}, ${second}`), `${KEY_MASK}, ${KEY_MASK}`);
    assert.equal(known.mask(first + second), KEY_MASK + KEY_MASK);
    assert.equal(known.mask(`<${longer}>`), `<${KEY_MASK}>`);
  });

  it('are masked without changing any other text', () => {
    const text = 'Keys of $& and a.b; 100% <b>bold</b> &amp; \\u0041 \u202e my secret key 1';
    assert.equal(knowing('my-secret-key-1', '123456789012').mask(text), text);
  });

  it('with fewer than eight characters are masked only as whole words', () => {
    const known = knowing('data7', '2024');
    assert.equal(known.mask('data7, DATA7, %64ata7: 2024'), `${KEY_MASK}, ${KEY_MASK}, ${KEY_MASK}: ${KEY_MASK}`);
    assert.equal(known.mask('data71 metadata7 120245'), 'data71 metadata7 120245');
  });

  it('with fewer than four characters are not masked', () => {
    const text = '{"a":"a cat","progress":100,"code":"0"}';
    assert.equal(knowing('a', '100', '0').maskJson(text), text);
  });

  it('that appear in JSON numbers are masked by turning the numbers into strings', () => {
    const key = '12345678901234567';
    const text = `{"${key}":[${key},-${key}.0,{"n":1,"b":true,"c":null}],"long":9${key}0}`;
    const expected = `{"${KEY_MASK}":["${KEY_MASK}","-${KEY_MASK}.0",{"n":1,"b":true,"c":null}],"long":"9${KEY_MASK}0"}`;
    assert.equal(knowing(key).maskJson(text), expected);
  });

  it("with 17 or more digits don't cause other numbers to be masked, even ones that round to the same double", () => {
    const known = knowing('1234567890123456789', '00000000000000001000');
    for (const number of ['1234567890123456780', '1.234567890123456e18', '12345678901234568', '1000'])
      assert.equal(known.maskJson(`{"taskId":${number}}`), `{"taskId":${number}}`);
  });

  it('are masked without breaking the JSON, even if they look like the end of an escape sequence', () => {
    const known = knowing('nabcdefgh', 'u0041bcdefgh');
    const text = JSON.stringify({ message: 'line\nabcdefgh \\nabcdefgh Abcdefgh' }).replace('Abc', '\\u0041bc');
    const { message } = JSON.parse(known.maskJson(text)) as { message: string };
    assert.equal(message, `line\nabcdefgh \\${KEY_MASK} Abcdefgh`);
  });

  it("are masked quickly even in a megabyte of escaped quotes that isn't valid JSON", () => {
    const key = 'canary-7f3a-9c21';
    for (const rest of ['\\"', '\\"\\\n', '\\'])
      assert.throws(() => JSON.parse(knowing(key).maskJson(`{"${key}${rest.repeat(MIB / rest.length)}`)), SyntaxError);
  });
});

describe('The search for access keys', () => {
  it('is fast even in a megabyte of text that almost matches a key', () => {
    const key = 'canary/+key&"7f3a\\9c';
    const known = knowing(key, '98765432109876543210');
    const almost = [...Object.values(spellings(key.slice(0, -1))), '9876543210987654321', '%25', '\\', '&#0000000000'];
    for (const piece of almost) {
      const text = `${piece}!`.repeat(Math.ceil(MIB / piece.length));
      assert.ok(known.mask(text) === text, piece);
    }
  });
});

describe('A task ID that contains a masked access key', () => {
  const key = 'my-"secret"\\key-1';
  const masked = (id: string) => typedTaskId(knowing(key).mask(id), 'string');

  it('is sent with the real key in place of the mask', () => {
    assert.equal(withKey(masked(`${key}-7`), key), JSON.stringify(`${key}-7`));
    assert.equal(withKey(masked(`${key}/${key}`), key), JSON.stringify(`${key}/${key}`));
    assert.equal(withKey(masked('T-7'), key), '"T-7"');
  });
});
