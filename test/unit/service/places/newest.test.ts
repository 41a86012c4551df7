import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { newestOf } from '../../../../src/service/places/newest';

describe('The newest of several', () => {
  const rows: readonly (readonly [elements: string, index: number | undefined])[] = [
    ['[{"createdAt":"2026-01-02T00:00:00Z"},{"createdAt":"2026-01-02T00:00:00+01:00"}]', 0],
    ['[{"update_time":"2026-01-02 10:00:00"},{"update_time":"2026-01-02 09:59:59"}]', 0],
    ['[{"time":"2026/1/2"},{"time":"2026/01/03"}]', 1],
    ['[{"ts":1700000000},{"ts":1700000001000}]', 1],
    ['[{"ts":"1700000000000"},{"ts":"1700000000001"}]', 1],
    // What was changed last counts before what was made last.
    ['[{"createdAt":1700000000,"updatedAt":1700000009},{"createdAt":1700000001,"updatedAt":1700000002}]', 0],
    ['[{"at":"2026-01-01"},{"at":"2026-01-01"}]', undefined],
    ['[{"at":"2026-01-01"},{}]', undefined],
    ['[{"at":"soon"},{"at":"later"}]', undefined],
    ['[{"at":"2026-01-01"},"x"]', undefined],
    ['[]', undefined],
  ];
  for (const [elements, index] of rows) {
    it(`${elements} is ${index ?? 'none of them'}`, () => {
      assert.equal(newestOf(parseJson(elements) as never[]), index);
    });
  }
});
