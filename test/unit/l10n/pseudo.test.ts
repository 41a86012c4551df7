import assert from 'node:assert/strict';
import { readTexts } from '../../l10n/checkedIn';
import { compareTexts } from '../../l10n/compareTexts';
import { pseudoTexts } from '../../l10n/pseudo';

describe('The pseudo language', () => {
  it('has texts half again as long, with the same placeholders, icons, links, settings and code', () => {
    const english = readTexts('package.nls.json');
    const pseudo = pseudoTexts(english);
    assert.deepEqual(compareTexts(english, pseudo), []);
    for (const [key, text] of english) assert.ok((pseudo.get(key) ?? '').length >= 1.5 * text.length, key);
    assert.equal(pseudoTexts(new Map([['key', 'Import {0}']])).get('key'), 'Impört {0}~~~~~');
  });
});
