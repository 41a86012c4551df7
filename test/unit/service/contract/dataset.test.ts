import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { type Dataset, readDatasets } from '../../../../src/service/contract/dataset';
import { fc } from '../../seededFastCheck';

const GOOD = { name: 'Good', baseUrl: 'https://service.example/' };
const namesOf = (datasets: readonly Dataset[]) => datasets.map(({ name }) => name);

/**
 * Reads an invalid entry between two valid ones, and checks that the valid ones are still usable. Returns the first
 * fault reported for the invalid entry.
 */
function faultOf(entry: unknown) {
  const { datasets, faults } = readDatasets([GOOD, entry, { ...GOOD, name: 'Too' }]);
  assert.deepEqual(namesOf(datasets), ['Good', 'Too']);
  assert.ok(faults.every(({ dataset }) => dataset === faults[0]?.dataset));
  return faults[0];
}

describe('The dataset settings reader', () => {
  it('uses the default contract if nothing is overridden', () => {
    const { datasets, faults } = readDatasets([GOOD]);
    assert.deepEqual(datasets, [{ name: 'Good', baseUrl: new URL(GOOD.baseUrl), contract: DEFAULT_CONTRACT }]);
    assert.deepEqual(faults, []);
  });

  it('returns an empty list if nothing is set', () => {
    assert.deepEqual(readDatasets(undefined), { datasets: [], faults: [] });
    assert.deepEqual(readDatasets([]), { datasets: [], faults: [] });
  });

  it('ignores whitespace around names and URLs', () => {
    const { datasets } = readDatasets([{ name: ' Books\t', baseUrl: ' https://service.example/ ' }]);
    const read = datasets.map(({ name, baseUrl }) => [name, baseUrl.href]);
    assert.deepEqual(read, [['Books', 'https://service.example/']]);
  });

  for (const setting of [null, 'https://service.example', { ...GOOD }]) {
    it(`returns an empty list and reports one problem for the setting ${JSON.stringify(setting)}`, () => {
      const fault = { dataset: '', at: '', reason: 'invalid' };
      assert.deepEqual(readDatasets(setting), { datasets: [], faults: [fault] });
    });
  }

  for (const entry of [null, 7, [GOOD], {}, { baseUrl: GOOD.baseUrl }, { ...GOOD, name: 7 }]) {
    it(`skips the entry ${JSON.stringify(entry)} and reports its number`, () => {
      const fault = faultOf(entry);
      assert.equal(fault?.dataset, '#2');
      assert.equal(fault?.reason, 'invalid');
    });
  }

  // The sandbox's name is reported no matter what else is wrong, and only the first mistake in a contract is reported.
  const changes: readonly (readonly [change: object, dataset: string, at: string, reason?: string])[] = [
    [{ name: '' }, '#2', 'name'],
    [{ name: '  \t' }, '#2', 'name'],
    [{ name: 'Sandbox' }, 'Sandbox', 'name'],
    [{ name: ' Sandbox\t', baseUrl: 'ftp://a.example' }, 'Sandbox', 'name'],
    [{ baseUrl: undefined }, 'Bad', 'baseUrl'],
    [{ baseUrl: 7 }, 'Bad', 'baseUrl'],
    [{ baseUrl: 'http://service.example' }, 'Bad', 'baseUrl', 'scheme'],
    [{ allowHttp: 'yes' }, 'Bad', 'allowHttp'],
    [{ accessKey: 'abc' }, 'Bad', 'accessKey'],
    [{ contract: { paths: { queryTask: 'a' }, fileTask: { taskId: 'b' } } }, 'Bad', 'contract.paths.queryTask'],
  ];
  for (const [change, dataset, at, reason = 'invalid'] of changes) {
    it(`skips a dataset with ${JSON.stringify(change)} and reports the error "${reason}" in ${at}`, () => {
      assert.deepEqual(faultOf({ ...GOOD, name: 'Bad', ...change }), { dataset, at, reason });
    });
  }

  it('accepts plain HTTP if the dataset allows it or the service is on this machine', () => {
    const http = { name: 'Inside', baseUrl: 'http://service.example' };
    const local = { name: 'Here', baseUrl: 'http://127.0.0.1:8080' };
    const { datasets, faults } = readDatasets([{ ...http, allowHttp: true }, local]);
    assert.deepEqual([namesOf(datasets), faults], [['Inside', 'Here'], []]);
    assert.equal(readDatasets([{ ...http, allowHttp: false }]).faults.length, 1);
    const both = readDatasets([
      { ...http, allowHttp: true },
      { ...http, name: 'Other' },
    ]);
    assert.equal(both.faults.length, 1);
  });

  it('returns only the first of two datasets with the same name, and reports the second as a duplicate', () => {
    const { datasets, faults } = readDatasets([GOOD, { name: ' Good ', baseUrl: 'https://other.example' }]);
    assert.equal(datasets.map(({ baseUrl }) => baseUrl.host).join(), 'service.example');
    assert.deepEqual(faults, [{ dataset: 'Good', at: 'name', reason: 'sameName' }]);
  });

  it('returns the second of two datasets with the same name if the first is invalid', () => {
    const { datasets, faults } = readDatasets([{ ...GOOD, baseUrl: 'ftp://service.example' }, GOOD]);
    assert.deepEqual([namesOf(datasets), faults.map(({ at }) => at)], [['Good'], ['baseUrl']]);
  });

  it('works with the read-only objects that VS Code returns', () => {
    const frozen = <Value extends object>(value: Value): Value =>
      new Proxy(value, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name);
          return typeof member === 'object' && member !== null ? frozen(member) : member;
        },
        set: () => assert.fail('it was set'),
        deleteProperty: () => assert.fail('it was deleted'),
        defineProperty: () => assert.fail('it was defined'),
        setPrototypeOf: () => assert.fail('its prototype was set'),
      });
    const contract = { headers: { 'X-Tenant': 'blau' }, queryTask: { state: 'result', body: { ids: ['${taskId}'] } } };
    const { datasets, faults } = readDatasets(
      frozen([{ ...GOOD, contract }, [], null, { ...GOOD, name: 'Too' }, { name: 'Bad' }]),
    );
    assert.deepEqual(namesOf(datasets), ['Good', 'Too']);
    assert.deepEqual(datasets[0]?.contract.headers, { 'X-Tenant': 'blau' });
    assert.equal(datasets[0].contract.queryTask.state, 'result');
    const places = faults.map(({ at }) => at);
    assert.deepEqual(places, ['name', '', 'baseUrl']);
  });

  it('either uses or reports each entry, even in arbitrary JSON', () => {
    const text = fc.string({ unit: 'binary' });
    const entry = fc.record(
      {
        name: fc.oneof(text, fc.constantFrom('a', 'toString', '__proto__'), fc.jsonValue()),
        baseUrl: fc.oneof(fc.webUrl(), text, fc.jsonValue()),
        allowHttp: fc.oneof(fc.boolean(), fc.jsonValue()),
        contract: fc.oneof(
          fc.jsonValue(),
          fc.record({ headers: fc.dictionary(text, text), queryTask: fc.jsonValue() }, { requiredKeys: [] }),
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.oneof(entry, fc.jsonValue()))), (setting) => {
        const { datasets, faults } = readDatasets(setting);
        assert.equal(datasets.length + faults.length, Array.isArray(setting) ? setting.length : 1);
        assert.equal(new Set(namesOf(datasets)).size, datasets.length);
      }),
      { numRuns: 300 },
    );
  });
});
