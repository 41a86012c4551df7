import assert from 'node:assert/strict';
import { accessKeyFault } from '../../../../src/service/contract/accessKey';

describe('A typed access key', () => {
  it('is trimmed before it is checked', () => {
    assert.equal(accessKeyFault(' \tak-7f3a!~\r\n'), undefined);
    assert.equal(accessKeyFault('\uFEFFak\u00A0'), undefined);
  });

  const faults = {
    '': 'empty',
    ' \n': 'empty',
    'a b': 'characters',
    'a\r\nX-Other: b': 'characters',
    'a\u2028b': 'characters',
    schlüssel: 'characters',
    'a\u007Fb': 'characters',
    'a\u200Bb': 'characters',
    密钥: 'characters',
  };
  for (const [typed, fault] of Object.entries(faults)) {
    it(`such as ${JSON.stringify(typed)} is invalid (${fault})`, () => {
      assert.equal(accessKeyFault(typed), fault);
    });
  }
});
