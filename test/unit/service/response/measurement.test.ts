import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isMeasurement } from '../../../../src/service/response/measurement';

describe('What was read as statuses', () => {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(7 * index + 3));
  const looks = {
    'is statuses': [
      [],
      ['A'],
      ['INDEXING_1', 'INDEXING_2', 'IN_DATASET'],
      ['0', '1', '2', '3', '4', '5'],
      ['100', '200', '300'],
      ['200', '404', '500'],
      ['phase 1', 'phase 2', 'phase 3'],
      ['phase 1', 'phase 2', 'phase 3', 'phase 3', 'phase 1'],
      ['cafe', 'done'],
      ['37%', 'done'],
      numbers(12),
    ],
    'is a measurement': [
      ['37%'],
      ['0.25'],
      ['2030-01-01T12:00:00Z'],
      ['2030-01-01 12:00:00', '2030-01-01 12:00:07'],
      ['1893499200'],
      ['1893499200000'],
      ['3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34'],
      ['9007199254740993123'],
      ['Page 1 of 400', 'Page 2 of 400', 'Page 3 of 400', 'Page 4 of 400'],
      numbers(13),
    ],
  } as const;
  for (const [what, all] of Object.entries(looks)) {
    for (const values of all) {
      it(`${what} where it is ${values.join(', ') || 'nothing'}`, () =>
        assert.equal(isMeasurement(values), what === 'is a measurement'));
    }
  }

  it('is statuses where the same few states come again in every task, whatever they are called', () => {
    const names = fc.uniqueArray(fc.oneof(fc.stringMatching(/^[A-Z_]{1,12}$/), fc.stringMatching(/^[0-9]$/)), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 50 }), (statuses, tasks) => {
        assert.equal(isMeasurement(Array.from({ length: tasks }, () => statuses).flat()), false);
      }),
    );
  });
});
