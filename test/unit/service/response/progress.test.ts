import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { readData } from '../../../../src/service/response/fields';
import { progressFraction, readProgress } from '../../../../src/service/response/progress';
import { fc } from '../../seededFastCheck';

function progressIn(text: string, pointer: string | undefined) {
  return readProgress(readData(parseJson(text), undefined), pointer);
}

describe('Progress as one value', () => {
  const fractions: readonly (readonly [json: string, fraction: number | undefined])[] = [
    ['0', 0],
    ['0.37', 0.37],
    ['37', 0.37],
    ['"37%"', 0.37],
    ['"37 %"', 0.37],
    ['"0.5%"', 0.005],
    ['1.0', 1],
    ['1', undefined],
    ['"1"', undefined],
    ['"1%"', 0.01],
    ['" 37% "', 0.37],
    ['"0.37"', 0.37],
    ['99.5', 0.995],
    ['1.5', 0.015],
    ['"101%"', undefined],
    ['"-5%"', undefined],
    ['"37%%"', undefined],
    ['"1e2"', undefined],
    ['"NaN"', undefined],
    ['"Infinity"', undefined],
    ['99999999999999999999', undefined],
    ['100', 1],
    ['"100%"', 1],
    ['101', undefined],
    ['-1', undefined],
    ['1e400', undefined],
    ['"3/7"', undefined],
    ['"half"', undefined],
    ['""', undefined],
    ['null', undefined],
    ['true', undefined],
    ['{}', undefined],
  ];
  for (const [json, fraction] of fractions) {
    it(`${json} is ${fraction ?? 'not recognized'}`, () => {
      assert.equal(progressFraction(parseJson(json)), fraction);
    });
  }

  it('is never outside of 0 to 1, whatever an answer holds', () => {
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

describe('Progress in an answer', () => {
  type Row = readonly [data: string, pointer: string | undefined, fraction: number | undefined, at?: string];
  const rows: readonly Row[] = [
    ['{"progress":0.25}', undefined, 0.25, '/progress'],
    ['{"task":{"percent":"37%"}}', undefined, 0.37, '/task/percent'],
    ['[{"percentage":50}]', undefined, 0.5, '/0/percentage'],
    ['{"done":3,"total":12}', undefined, 0.25, '/done'],
    ['{"processed_count":"3","totalCount":"12"}', undefined, 0.25, '/processed_count'],
    ['{"progress":{"finished":1,"all":4}}', undefined, 0.25, '/progress/finished'],
    ['{"stats":[{"current":1,"total":1}]}', undefined, 1, '/stats/0/current'],
    ['{"done":0,"total":5}', undefined, 0, '/done'],
    ['{"progress":"reading","done":1,"total":4}', undefined, 0.25, '/done'],
    ['{"progress":40,"done":1,"total":4}', undefined, 0.4, '/progress'],
    ['{"done":true,"total":4}', undefined, undefined],
    ['{"done":0,"total":0}', undefined, undefined],
    ['{"done":5,"total":4}', undefined, undefined],
    ['{"done":-1,"total":4}', undefined, undefined],
    ['{"done":0.5,"total":4}', undefined, undefined],
    ['{"done":3}', undefined, undefined],
    ['{"total":3}', undefined, undefined],
    ['{"done":3,"inner":{"total":4}}', undefined, undefined],
    ['{"progress":1}', undefined, undefined],
    ['{}', undefined, undefined],
    ['null', undefined, undefined],
    ['{"lines":{"read":3,"total":12}}', '/lines/read', 0.25, '/lines/read'],
    ['{"lines":{"read":1,"all":4}}', '/lines/read', 0.25, '/lines/read'],
    ['{"read":"3","total":"12"}', '/read', 0.25, '/read'],
    ['{"a/b":{"~":3,"total":12}}', '/a~1b/~0', 0.25, '/a~1b/~0'],
    ['{"read":13,"total":12}', '/read', undefined],
    ['{"read":"37%","total":12}', '/read', 0.37, '/read'],
    ['{"read":0.5,"total":12}', '/read', 0.5, '/read'],
    ['{"percentDone":37,"total":1200}', '/percentDone', 0.37, '/percentDone'],
    ['{"read":37,"total":"many"}', '/read', 0.37, '/read'],
    ['[37,100]', '/0', 0.37, '/0'],
    ['37', '', 0.37, ''],
    ['{"done":3,"total":12}', '/missing', undefined],
    ['{"step":1}', '/step', undefined],
    ['{"step":"reading","done":3,"total":12}', '/step', undefined],
  ];
  for (const [text, pointer, fraction, at] of rows) {
    const where = pointer === undefined ? 'recognized' : `at '${pointer}'`;
    it(`${text}, ${where}: ${fraction ?? 'not recognized'}`, () => {
      const from = { pointer: at, how: pointer === undefined ? 'recognized' : 'mapped' };
      assert.deepEqual(progressIn(text, pointer), fraction === undefined ? undefined : { fraction, from });
    });
  }

  it('of a part of a total is that part, recognized as well as chosen', () => {
    const counts = fc
      .bigInt({ min: 1n, max: 10n ** 19n })
      .chain((total) => fc.tuple(fc.bigInt({ min: 0n, max: total }), fc.constant(total)));
    fc.assert(
      fc.property(counts, ([done, total]) => {
        const text = `{"done":${done},"total":${total}}`;
        for (const pointer of [undefined, '/done']) {
          assert.equal(progressIn(text, pointer)?.fraction, Number(done) / Number(total));
        }
      }),
    );
  });
});
