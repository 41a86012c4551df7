import assert from 'node:assert/strict';
import { statusLooks } from '../../../../src/service/response/statusLooks';

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
});
