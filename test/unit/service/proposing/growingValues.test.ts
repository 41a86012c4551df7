import assert from 'node:assert/strict';
import { parseJson } from '../../../../src/service/json/json';
import { GrowingValues, type GrownValue } from '../../../../src/service/proposing/growingValues';

/** What has grown after these responses came. */
function grownAfter(...responses: readonly string[]): GrownValue | undefined {
  const values = new GrowingValues();
  return responses.map((data) => values.take({ data: parseJson(data), ownTask: undefined })).at(-1);
}

describe('The values of a task that grow', () => {
  it('are its progress where they grow up to 100 and are no numbers of states', () => {
    const pct = (value: number) => `{"status":"running","pct":${value},"n":7}`;
    assert.equal(grownAfter(pct(12), pct(37)), undefined);
    assert.deepEqual(grownAfter(pct(12), pct(37), pct(37), pct(80)), { pointer: '/pct', texts: ['12', '37', '80'] });
  });

  it('are its progress once they grew, where they are percent or fractions', () => {
    assert.equal(grownAfter('{"a":"12%"}'), undefined);
    assert.equal(grownAfter('{"a":"12%"}', '{"a":"37%"}')?.pointer, '/a');
    assert.equal(grownAfter('{"a":0.1}', '{"a":0.25}')?.pointer, '/a');
  });

  it('are none where they shrink, stay, are beyond 100, or are the numbers of states', () => {
    for (const values of [
      [80, 37, 12],
      [50, 50, 50],
      [100, 900, 5000],
      [1, 2, 3],
    ])
      assert.equal(grownAfter(...values.map((value) => `{"a":${value}}`)), undefined);
  });

  it('are that one of several which is called as progress is, and none where their names say nothing', () => {
    const both = (name: string) => [11, 23, 47].map((value) => `{"row":${value + 1},"${name}":${value}}`);
    assert.equal(grownAfter(...both('pct'))?.pointer, '/pct');
    assert.equal(grownAfter(...both('line')), undefined);
  });
});
