import assert from 'node:assert/strict';
import { isAccessKey } from '../../../../src/service/contract/accessKey';

describe('An access key', () => {
  it('can contain any visible ASCII character', () => {
    assert.equal(isAccessKey('ak-7f3a!~'), true);
  });

  for (const key of ['', 'a b', 'a\r\nX-Other: b', 'a\u2028b', 'schlüssel', 'a\u007Fb', 'a\u200Bb', '密钥']) {
    it(`such as ${JSON.stringify(key)} is invalid`, () => {
      assert.equal(isAccessKey(key), false);
    });
  }
});
