import assert from 'node:assert/strict';
import fc from 'fast-check';
import { statusLooks, statusLooksOf } from '../../../../src/service/response/statusLooks';

describe('What was read as the statuses of a task', () => {
  const looks = {
    words: [
      [],
      ['A'],
      ['INDEXING_1', 'INDEXING_2', 'IN_DATASET'],
      ['0', '1', '2', '3', '4', '5'],
      ['10', '20', '30', '40'],
      ['100', '200', '300'],
      ['1', '50', '2', '99'],
      ['200', '404', '500'],
      ['phase 1', 'phase 2', 'phase 3'],
      ['cafe', 'done'],
    ],
    progress: [
      ['37%'],
      ['0.25'],
      ['0.1', '1'],
      ['12', '37', '80'],
      ['0', '25', '75', '100'],
      ['10', '20', '30', '40', '50'],
    ],
    measurement: [
      ['2030-01-01T12:00:00Z'],
      ['2030-01-01 12:00:00', '2030-01-01 12:00:07'],
      ['1893499200'],
      ['1893499200000'],
      ['3f2b8c1e-9d4a-4b6f-8a1c-0e5d7f9b2c34'],
      ['9007199254740993123'],
      ['4096', '81920', '122880', '900000'],
      ['Page 1 of 400', 'Page 2 of 400', 'Page 3 of 400', 'Page 4 of 400'],
    ],
  } as const;
  for (const [kind, all] of Object.entries(looks)) {
    for (const values of all) {
      it(`${values.join(', ') || 'nothing'}: ${kind}`, () => assert.equal(statusLooks(values), kind));
    }
  }

  it('is a measurement where many tasks have many values that differ only in their numbers', () => {
    const pages = Array.from({ length: 4 }, (_, page) => [`Page ${page} of 400`]);
    assert.equal(statusLooksOf(pages), 'measurement');
    assert.equal(statusLooksOf(pages.slice(1)), 'words');
    assert.equal(statusLooksOf(Array.from({ length: 30 }, (_, task) => [String(7 * task + 3)])), 'measurement');
  });

  it('is words where the same few states come again in every task, whatever they are called', () => {
    const names = fc.uniqueArray(fc.oneof(fc.stringMatching(/^[A-Z_]{1,12}$/), fc.stringMatching(/^[0-9]$/)), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(names, fc.integer({ min: 1, max: 50 }), (statuses, tasks) => {
        assert.equal(statusLooksOf(Array.from({ length: tasks }, () => statuses)), 'words');
      }),
    );
  });
});
