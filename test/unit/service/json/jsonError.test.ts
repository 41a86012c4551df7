import assert from 'node:assert/strict';
import fc from 'fast-check';
import { errorText } from '../../../../src/service/json/jsonError';

const problem = { type: 'https://a.example/full', title: 'No space left', status: 507, detail: 'Dataset A1 is full.' };

describe('An error in JSON', () => {
  const said: readonly (readonly [of: unknown, words: string])[] = [
    [{ error: { code: 'quota_exceeded', message: 'No space is left.' } }, 'quota_exceeded: No space is left.'],
    [{ error: { code: 503, message: 'Busy', status: 'UNAVAILABLE' } }, '503: Busy'],
    [{ error: 'invalid_scope', error_description: 'The scope is unknown.' }, 'invalid_scope: The scope is unknown.'],
    [{ error: 'Not Found' }, 'Not Found'],
    [{ code: '500', message: 'Internal error', data: null }, '500: Internal error'],
    [{ timestamp: 1, status: 500, error: 'Internal Server Error', path: '/x' }, 'Internal Server Error'],
    [{ message: 'Forbidden' }, 'Forbidden'],
    [problem, 'No space left: Dataset A1 is full.'],
    [{ title: 'No space left', status: 507 }, 'No space left'],
    [{ detail: [{ type: 'missing', loc: ['body', 'lang'], msg: 'Field required' }] }, 'body.lang: Field required'],
    [
      { message: 'Validation failed', errors: [{ field: 'lang', message: 'must not be blank' }] },
      'Validation failed; lang: must not be blank',
    ],
    [{ errors: { lang: ['The lang field is required.'] } }, 'lang: The lang field is required.'],
    [{ errors: ['lang is missing', 'size is missing'] }, 'lang is missing; size is missing'],
  ];
  for (const [json, words] of said) {
    it(`is told by its code and its message: ${words}`, () => assert.equal(errorText(JSON.stringify(json)), words));
  }

  it('is none where the text is no JSON, or JSON that says nothing of an error', () => {
    for (const text of ['', 'Bad Gateway', '"text"', '{', '[1]', '{}', '{"data":{"message":"x"}}', '{"error":{}}'])
      assert.equal(errorText(text), undefined, text);
  });

  it('is read whatever JSON comes', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        errorText(text);
      }),
    );
  });
});
