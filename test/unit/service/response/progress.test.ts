import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { progressFraction } from '../../../../src/service/response/recognizedFields';
import { fc } from '../../seededFastCheck';

describe('A progress value', () => {
  const fractions: readonly (readonly [json: string, fraction: number | undefined])[] = [
    ['0', 0],
    ['0.37', 0.37],
    ['1.0', 1],
    ['1', undefined],
    ['1.5', 0.015],
    ['37', 0.37],
    ['100', 1],
    ['101', undefined],
    ['" 37 % "', 0.37],
    ['"0.5%"', 0.005],
    ['"1%"', 0.01],
    ['"101%"', undefined],
    ['"1e2"', undefined],
    ['"3/7"', undefined],
    ['99999999999999999999', undefined],
    ['null', undefined],
  ];
  for (const [json, fraction] of fractions) {
    it(`of ${json} is ${fraction === undefined ? 'not recognized' : `read as ${fraction}`}`, () => {
      assert.equal(progressFraction(parseJson(json)), fraction);
    });
  }

  it('in arbitrary JSON is either read as a fraction from 0 to 1 or not recognized', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.jsonValue(), fc.double(), fc.string({ unit: fc.constantFrom(...'0123456789.%- e') })),
        (value) => {
          const fraction = progressFraction(parseJson(JSON.stringify(value)));
          assert.ok(fraction === undefined || (fraction >= 0 && fraction <= 1));
        },
      ),
    );
  });
});
