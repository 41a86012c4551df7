import assert from 'node:assert/strict';
import { KEY_MASK } from '../../../../src/service/contract/accessKey';
import { parseJson, stringifyJson } from '../../../../src/service/json/json';
import { KnownKeys } from '../../../../src/service/masking/mask';
import { fc } from '../../seededFastCheck';
import { spellings, telltales } from '../spellings';

const MIB = 1024 * 1024;

function knowing(...keys: readonly string[]): KnownKeys {
  const known = new KnownKeys();
  for (const key of keys) known.add(key);
  return known;
}

describe('Known access keys', () => {
  const printable = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const keys = fc.string({ unit: printable, minLength: 8 });
  const plainKeys = fc.string({ unit: printable.filter((sign) => /[^\\%&;<>]/.test(sign)), minLength: 8 });

  for (const name of Object.keys(spellings('key'))) {
    it(`are masked ${name}, and nothing around them`, () => {
      fc.assert(
        fc.property(plainKeys, (key) => {
          const written = spellings(key)[name] ?? '';
          // What goes before or pads Base64 may stay.
          const [before, after] = name.startsWith('in Base64') ? ['\\w{0,2}', '=*'] : ['', ''];
          const masked = knowing(key).mask(`<p>${written}</p> and (${written})`);
          const one = `${before}${KEY_MASK}${after}`;
          assert.match(masked, new RegExp(`^<p>${one}</p> and \\(${one}\\)$`));
        }),
      );
    });

    it(`are not to be read ${name}, whatever signs they are made of`, () => {
      fc.assert(
        fc.property(keys, (key) => {
          // Of one that is made of escapes nothing may be left to look for.
          fc.pre(key.replaceAll(/\\+[nrt]?|[%\\]u\w{4}|[%x]\w\w|&#?\w+;/gi, '').length >= 4);
          const masked = knowing(key)
            .mask(` ${spellings(key)[name]} `)
            .toLowerCase();
          for (const told of telltales(key)) assert.ok(!masked.includes(told), masked);
        }),
      );
    });
  }

  it('are masked in Base64 wherever they begin in it', () => {
    for (const before of ['', 'u', 'us', 'use', 'user']) {
      for (const after of ['', '!', '!!', '!!!']) {
        const text = Buffer.from(`${before}:my-secret-key-1${after}`).toString('base64');
        const masked = knowing('my-secret-key-1').mask(text);
        assert.ok(masked.includes(KEY_MASK), text);
        assert.doesNotMatch(Buffer.from(masked.replaceAll('•', 'A'), 'base64').toString(), /secret|key/);
      }
    }
  });

  it('are masked in JSON as in each of its texts alone, wherever others of them end or begin like a key', () => {
    const piece = fc.constantFrom('ab-1', '2345678', '%2d', '\\', '"', '%5c', '12', '&amp;', 'x');
    const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join(''));
    const known = knowing('ab-12345678', 'ab-1\\"', '1234567812');
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        assert.deepEqual(
          known.maskJson(texts),
          texts.map((one) => known.mask(one)),
        );
      }),
    );
  });

  it('are all masked, those too that were replaced, also where they touch or overlap', () => {
    const known = knowing('first-key-0001', 'second-key-002');
    assert.equal(known.mask('first-key-0001, second-key-002'), `${KEY_MASK}, ${KEY_MASK}`);
    assert.equal(known.mask('first-key-0001second-key-002'), KEY_MASK + KEY_MASK);
    assert.equal(knowing('abcdefgh', 'efghijkl').mask('abcdefghijkl'), KEY_MASK);
  });

  it('leave all other text as it was', () => {
    const text = 'Keys of $& and a.b; 100% <b>bold</b> &amp; \\u0041 \u202e my secret key 1';
    assert.equal(knowing('my-secret-key-1', '123456789012').mask(text), text);
  });

  it('that are short are masked as words, and leave the words alone that they are a part of', () => {
    const known = knowing('data7', '2024');
    assert.equal(known.mask('data7, DATA7, %64ata7: 2024'), `${KEY_MASK}, ${KEY_MASK}, ${KEY_MASK}: ${KEY_MASK}`);
    assert.equal(known.mask('data71 metadata7 120245'), 'data71 metadata7 120245');
  });

  it('of fewer than four characters are no secret', () => {
    const value = { a: 'a cat', progress: 100, code: '0' };
    assert.equal(knowing('a', '100', '0').maskJson(value), value);
  });

  it('are masked in strings, property names and numbers of JSON', () => {
    const known = knowing('my-secret-key', '12345678901234567890', '0012345678');
    const text =
      '{"my-secret-key":["my-secret-key",{"a":"x my-secret-key y","n":1,"b":true,"c":null,"__proto__":12345678901234567890}],' +
      '"n":12345678901234567000,"e":1.2345678901234567e19,"zeros":12345678,"other":9007199254740993}';
    const masked = stringifyJson(known.maskJson(parseJson(text)));
    const expected =
      `{"${KEY_MASK}":["${KEY_MASK}",{"a":"x ${KEY_MASK} y","n":1,"b":true,"c":null,"__proto__":"${KEY_MASK}"}],` +
      `"n":"${KEY_MASK}","e":"${KEY_MASK}","zeros":"${KEY_MASK}","other":9007199254740993}`;
    assert.equal(masked, expected);
  });

  it('are masked in JSON as deep as it is read', () => {
    const deep = (leaf: string) => `${'[{"a":'.repeat(100)}"${leaf}"${'}]'.repeat(100)}`;
    const masked = knowing('my-secret-key').maskJson(parseJson(deep('my-secret-key')));
    assert.equal(stringifyJson(masked), deep(KEY_MASK));
  });

  it('are told by an id that holds one, a short one only where it is the whole id', () => {
    const known = knowing('my-secret-key', '2024-05', '123456789012345');
    for (const id of ['my-secret-key', 'task-MY-SECRET-KEY/7', '2024-05', '123456789012345.0', '1.23456789012345e14'])
      assert.equal(known.isRevealedBy(id), true, id);
    for (const id of ['task-1', 'task-2024-05-07', '2024-050', '']) assert.equal(known.isRevealedBy(id), false, id);
  });

  it('are masked in a megabyte within tens of milliseconds, however near to keys it comes', () => {
    const key = `${'a'.repeat(60)}b`;
    const known = knowing(key, 'canary/+key&"7f3a\\9c', '98765432109876543210', `${'\\'.repeat(60)}k`);
    const pieces = [
      'a',
      '&#97;',
      '%61',
      '\\u0061',
      '%2525',
      '&amp;',
      '<',
      '<a',
      '\\',
      'a\u200b',
      ';',
      '&',
      '&a;;;;;;;;;;;;;',
      '&#0000000000',
      'canary/+key&"7f3a\\9',
      '9876543210987654321',
      Buffer.from(key.slice(1)).toString('base64'),
      'aB ',
    ];
    for (const piece of pieces) known.mask(piece.repeat(Math.ceil(MIB / piece.length)));
  });
});
