import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { readContract, withOverride } from '../../../../src/service/contract/contractOverrides';
import { readDatasets, SANDBOX_NAME } from '../../../../src/service/contract/dataset';
import { isObject } from '../../../../src/service/contract/settingReader';

/** What VS Code completes and checks in settings.json, as far as it is used. */
interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'boolean';
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly enum?: readonly unknown[];
  readonly not?: { readonly const: unknown };
  readonly default?: unknown;
}

const manifest = JSON.parse(readFileSync(join(__dirname, '../../../../package.json'), 'utf8'));
const dataset: Schema = manifest.contributes.configuration.properties['datasetImport.datasets'].items;
const contract = dataset.properties?.['contract'] ?? {};

const texts = ['', 'a', '/a', '/a#b', '/a b', '/~2', '/~1', 'running', 'done', 'ü\n'];
const plain = [...texts, 7, true, null, {}, []];
const samples = [...plain, ...plain.map((value) => ({ A: value })), ...plain.map((value) => [value])];

describe('The schema of the datasets in package.json', () => {
  it('knows the parts of a contract, and no others', () => {
    const parts = [...partsOf(contract)].map(([at]) => at.join('.'));
    const ofContract = Object.entries(DEFAULT_CONTRACT).flatMap(([name, section]) =>
      name === 'headers' ? [name] : Object.keys(section).map((part) => `${name}.${part}`),
    );
    assert.deepEqual(parts.toSorted(), ofContract.toSorted());
  });

  for (const [at, schema] of partsOf(contract)) {
    it(`agrees with what is read of contract.${at.join('.')}, and has its default`, () => {
      for (const value of samples) {
        const isRead = readContract(withOverride({}, at, value)).faults.length === 0;
        assert.equal(isRead, fits(schema, value), JSON.stringify(value));
      }
      const byDefault = at.reduce<unknown>((part, name) => Reflect.get(Object(part), name), DEFAULT_CONTRACT);
      if (schema.default !== undefined) assert.deepEqual(schema.default, byDefault);
    });
  }

  it('agrees on where `${each}` may stand: in the place of the task id alone', () => {
    for (const [at, schema] of partsOf(contract)) {
      if (schema.pattern === undefined || !fits(schema, '/a')) continue;
      for (const pointer of ['/a/${each}/b', '/${each}', '/a${each}', '/${each}b', '/${each}/${each}']) {
        const isRead = readContract(withOverride({}, at, pointer)).faults.length === 0;
        assert.equal(isRead, fits(schema, pointer), `${at.join('.')} ${pointer}`);
      }
    }
    const read = (at: string[]) => readContract(withOverride({}, at, '/a/${each}/b')).faults.length;
    assert.deepEqual([read(['fileTask', 'taskId']), read(['queryTask', 'status'])], [0, 1]);
  });

  it('agrees with what is read of a dataset besides its contract', () => {
    const good = { name: 'A', baseUrl: 'https://a.example' };
    const urls = ['https://a.example/b', 'ftp://a.example', 'https://me@a.example', 'https://a.example/?b', 'a'];
    const changes = [
      ...[SANDBOX_NAME, 'B', '', 7].map((name) => ({ name })),
      ...[...urls, 7].map((baseUrl) => ({ baseUrl })),
      ...[true, 'yes'].map((allowHttp) => ({ allowHttp })),
      { accessKey: 'a' },
    ];
    for (const entry of [...changes.map((change) => ({ ...good, ...change })), 'A', []]) {
      assert.equal(readDatasets([entry]).faults.length === 0, fits(dataset, entry), JSON.stringify(entry));
    }
  });
});

/** The parts that hold a value: what leads to them, and their schema. */
function* partsOf(schema: Schema, at: readonly string[] = []): Generator<[at: readonly string[], schema: Schema]> {
  if (schema.properties === undefined) yield [at, schema];
  for (const [name, part] of Object.entries(schema.properties ?? {})) yield* partsOf(part, [...at, name]);
}

function fits(schema: Schema, value: unknown): boolean {
  if (schema.type !== undefined && typeOf(value) !== schema.type) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (schema.not !== undefined && value === schema.not.const) return false;
  if (typeof value === 'string') {
    return value.length >= (schema.minLength ?? 0) && new RegExp(schema.pattern ?? '', 'u').test(value);
  }
  if (Array.isArray(value)) return value.every((item) => fits(schema.items ?? {}, item));
  if (!isObject(value)) return true;
  return Object.entries(value).every(([name, item]) => {
    const member = schema.properties?.[name] ?? schema.additionalProperties ?? {};
    return member !== false && fits(member, item);
  });
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
}
