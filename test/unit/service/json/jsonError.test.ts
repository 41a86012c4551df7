import assert from 'node:assert/strict';
import { errorText } from '../../../../src/service/json/jsonError';
import { fc } from '../../seededFastCheck';

const problem = { type: 'https://a.example/full', title: 'No space left', status: 507, detail: 'Dataset A1 is full.' };

describe('The text of an error in JSON', () => {
  const said: readonly (readonly [of: unknown, words: string])[] = [
    [problem, 'No space left: Dataset A1 is full.'],
    [{ title: 'No space left', status: 507 }, 'No space left'],
    [{ error: { code: 'quota_exceeded', message: 'No space is left.' } }, 'No space is left.'],
    [{ code: '500', message: 'Internal error', data: null }, 'Internal error'],
  ];
  for (const [json, words] of said) {
    it(`is ${words} in ${JSON.stringify(json)}`, () => assert.equal(errorText(JSON.stringify(json)), words));
  }

  it('is undefined if the text is not JSON or has no usual member', () => {
    for (const text of ['', 'Bad Gateway', '"text"', '{', '[1]', '{}', '{"data":{"message":"x"}}', '{"error":{}}'])
      assert.equal(errorText(text), undefined, text);
  });

  it('never throws, whatever JSON comes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        errorText(text);
      }),
      { seed: 1 },
    );
  });
});
