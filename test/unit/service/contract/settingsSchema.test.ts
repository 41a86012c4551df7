import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { isObject, readContract, withOverride } from '../../../../src/service/contract/contractOverrides';
import { readDatasets, SANDBOX_NAME } from '../../../../src/service/contract/dataset';
import { projectFolder } from '../../../suites/project';

/** The JSON Schema keywords used in package.json. */
interface Schema {
  readonly type?: SchemaType | readonly SchemaType[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly propertyNames?: Schema;
  readonly markdownDescription?: string;
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
}

type SchemaType = 'object' | 'array' | 'string' | 'boolean' | 'number';

const manifest = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
const [{ properties }] = manifest.contributes.configuration;
const dataset: Schema = properties['datasetImport.datasets'].items;
const contract = dataset.properties?.['contract'] ?? {};

const texts = [
  '',
  'a',
  '/a',
  '/a#b',
  '/a b',
  '/~2',
  '/~1',
  'running',
  'done',
  'ü\n',
  'a\\',
  '\\a',
  'both',
  'text/plain; charset=utf-8',
];
const plain = [...texts, 7, true, null, {}, []];
const samples = [
  ...plain,
  ...plain.map((value) => ({ A: value })),
  { 'a\\': 'a' },
  { 'A B': 'a' },
  { '': 'a' },
  ...plain.map((value) => [value]),
];

describe('The JSON schema for a dataset in package.json', () => {
  it('lists exactly the parts of a contract', () => {
    const parts = [...partsOf(contract)].map(([at]) => at.join('.'));
    const ofContract = Object.entries(DEFAULT_CONTRACT).flatMap(([name, section]) =>
      name === 'headers' ? [name] : Object.keys(section).map((part) => `${name}.${part}`),
    );
    assert.deepEqual(parts.toSorted(), ofContract.toSorted());
  });

  for (const [at, schema] of partsOf(contract)) {
    it(`accepts the same values for contract.${at.join('.')} as our code does, and has the same default`, () => {
      for (const value of samples) {
        const { faults } = readContract(withOverride({}, at, value));
        // The value of `state` is a JMESPath expression, and a JSON schema can't check its syntax.
        if (at.at(-1) === 'state' && typeof value === 'string') continue;
        assert.equal(faults.length === 0, fits(schema, value), JSON.stringify(value));
      }
      const byDefault = at.reduce<unknown>((part, name) => Reflect.get(Object(part), name), DEFAULT_CONTRACT);
      if (schema.default !== undefined) assert.deepEqual(schema.default, byDefault);
    });
  }

  it('accepts the same placeholders in pointers as our code does', () => {
    const names = ['taskId', 'each', 'last', 'each:1', 'foo', ''];
    const pointers = names.flatMap((name) => [`/\${${name}}`, `/a/\${${name}}/b`, `/x\${${name}}`]);
    const parts = [...partsOf(contract)].filter(([, { pattern }]) => pattern?.includes('~[01]'));
    assert.equal(parts.length, 4);
    for (const [at, schema] of parts) {
      const read = pointers.filter((pointer) => readContract(withOverride({}, at, pointer)).faults.length === 0);
      assert.deepEqual(
        read,
        pointers.filter((pointer) => fits(schema, pointer)),
        at.join('.'),
      );
      const isTaskId = at.at(-1) === 'taskId';
      const some = ['/a/${taskId}/b', '/a/${each}/b', '/${foo}'];
      assert.deepEqual(
        some.map((pointer) => read.includes(pointer)),
        [!isTaskId, isTaskId, false],
      );
    }
  });

  it('accepts the same placeholders in form fields as our code does', () => {
    const at = ['fileTask', 'fields'];
    const fields = [...partsOf(contract)].find(([path]) => path.join() === at.join())?.[1] ?? {};
    for (const value of ['${size}', 'a ${fileName} ${sha256}', '${foo}', '${size}${foo:text}', '$${', '${size']) {
      const isRead = readContract(withOverride({}, at, { title: value })).faults.length === 0;
      assert.equal(isRead, fits(fields, { title: value }), value);
    }
  });

  it('has a description for every part and section, and an error message for every pattern', () => {
    const places = [...schemasOf(dataset)];
    assert.ok(places.length > 30);
    for (const [at, schema] of places) {
      const { markdownDescription, pattern, patternErrorMessage } = schema;
      if (!at.endsWith('propertyNames')) assert.match(markdownDescription ?? '', /^%.+%$/, at);
      if (pattern !== undefined) assert.match(patternErrorMessage ?? '', /^%.+%$/, at);
    }
  });

  it('accepts the same values for settings outside the contract as our code does', () => {
    const good = { name: 'A', baseUrl: 'https://a.example' };
    const urls = ['https://a.example/b', 'ftp://a.example', 'https://me@a.example', 'https://a.example/?b', 'a'];
    const changes = [
      ...[SANDBOX_NAME, ` ${SANDBOX_NAME}`, 'Sandbox 2', 'B', '', ' ', 7].map((name) => ({ name })),
      ...[...urls, 7].map((baseUrl) => ({ baseUrl })),
      ...[true, 'yes'].map((allowHttp) => ({ allowHttp })),
      { accessKey: 'a' },
    ];
    for (const entry of [...changes.map((change) => ({ ...good, ...change })), 'A', []]) {
      assert.equal(readDatasets([entry]).faults.length === 0, fits(dataset, entry), JSON.stringify(entry));
    }
  });
});

/** Yields the path and schema of each part of the contract, but not of the sections that group the parts. */
function* partsOf(schema: Schema, at: readonly string[] = []): Generator<[at: readonly string[], schema: Schema]> {
  if (schema.properties === undefined) yield [at, schema];
  for (const [name, part] of Object.entries(schema.properties ?? {})) yield* partsOf(part, [...at, name]);
}

/** Yields a schema and all schemas nested in it, with their paths. */
function* schemasOf(schema: Schema, at = ''): Generator<[at: string, schema: Schema]> {
  yield [at, schema];
  const { properties = {}, additionalProperties, items, propertyNames } = schema;
  const members = { ...properties, ...(additionalProperties && { '*': additionalProperties }) };
  for (const [name, member] of Object.entries({ ...members, ...(items && { '[]': items }) }))
    yield* schemasOf(member, `${at}.${name}`);
  if (propertyNames !== undefined) yield [`${at}.propertyNames`, propertyNames];
}

function fits(schema: Schema, value: unknown): boolean {
  const typeName = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  if (schema.type !== undefined && ![schema.type].flat().some((type) => type === typeName)) return false;
  if (schema.enum !== undefined && !schema.enum.includes(value)) return false;
  if (typeof value === 'string') {
    return new RegExp(schema.pattern ?? '', 'u').test(value);
  }
  if (Array.isArray(value)) return value.every((item) => fits(schema.items ?? {}, item));
  if (!isObject(value)) return true;
  if (schema.required?.some((name) => !Object.hasOwn(value, name))) return false;
  const names = Object.keys(value);
  const { minProperties = 0, maxProperties = names.length } = schema;
  if (names.length < minProperties || names.length > maxProperties) return false;
  if (!names.every((name) => fits(schema.propertyNames ?? {}, name))) return false;
  return Object.entries(value).every(([name, item]) => {
    const member = schema.properties?.[name] ?? schema.additionalProperties ?? {};
    return member !== false && fits(member, item);
  });
}
