import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { readContract, withOverride } from '../../../../src/service/contract/contractOverrides';
import { FILE_PLACEHOLDERS } from '../../../../src/service/contract/template';
import { jsonPointer } from '../../../../src/service/json/jsonPointer';
import { fc } from '../../seededFastCheck';

describe("A dataset's contract", () => {
  it('is the default if nothing is overridden', () => {
    for (const nothing of [undefined, null, {}, { paths: {}, fileTask: {}, queryTask: {}, codes: {} }]) {
      assert.deepEqual(readContract(nothing), { contract: DEFAULT_CONTRACT, faults: [] });
    }
  });

  it('combines overrides with the defaults', () => {
    const overrides = {
      paths: { setWebhook: '/hooks/set-webhook' },
      headers: { 'X-Tenant': 'blau' },
      fileTask: {
        fields: { datasetCode: 'A1' },
        taskId: '/task/no',
        mediaType: 'text/plain; charset=utf-8',
        fileNameEncoding: 'both',
      },
      queryTask: { body: { ids: ['${taskId}'] }, statusMeanings: { INDEXING_2: 'running' }, state: 'result' },
      codes: { badKey: ['401'] },
    };
    const contract = {
      paths: { ...DEFAULT_CONTRACT.paths, ...overrides.paths },
      headers: overrides.headers,
      fileTask: { ...DEFAULT_CONTRACT.fileTask, ...overrides.fileTask },
      queryTask: { ...DEFAULT_CONTRACT.queryTask, ...overrides.queryTask },
      codes: { ...DEFAULT_CONTRACT.codes, ...overrides.codes },
    };
    assert.deepEqual(readContract(overrides), { contract, faults: [] });
  });

  const invalid: readonly (readonly [at: string, overrides: unknown])[] = [
    ['', 'a string'],
    ['paths.fileTask', { paths: { fileTask: 'https://evil.example/' } }],
    ['paths.queryTask', { paths: { queryTask: '/a\r\nX: y' } }],
    ['paths.setWebhook', { paths: { setWebhook: '/a#b' } }],
    ['headers.X Tenant', { headers: { 'X Tenant': 'a' } }],
    ['headers.X-Tenant', { headers: { 'X-Tenant': 'a\r\nb' } }],
    ['headers.X-Tenant', { headers: { 'X-Tenant': '–' } }],
    ['fileTask.filePart', { fileTask: { filePart: 'file\\' } }],
    ['fileTask.fields.a\\', { fileTask: { fields: { 'a\\': 'b' } } }],
    ['fileTask.mediaType', { fileTask: { mediaType: 'text/plain\r\nX-Other: b' } }],
    ['fileTask.fileNameEncoding', { fileTask: { fileNameEncoding: 'latin1' } }],
    ['fileTask.taskId', { fileTask: { taskId: 'taskId' } }],
    ['queryTask.status', { queryTask: { status: '/~2' } }],
    ['queryTask.statusMeanings.OK', { queryTask: { statusMeanings: { OK: 'fine' } } }],
    ['codes.badKey.1', { codes: { badKey: ['401', 403] } }],
    ['headers', { headers: ['X-Tenant: blau'] }],
    ['fileTask.fields.', { fileTask: { fields: { '': 'a' } } }],
    ['fileTask.fields.hash', { fileTask: { fields: { hash: 'a ${sha256} ${taskId}' } } }],
    ['queryTask.body', { queryTask: { body: { ids: [{ id: '${fileName}' }] } } }],
    ['queryTask.body', { queryTask: { body: '${taskId:digits}' } }],
    ['queryTask.body', { queryTask: { body: undefined } }],
    ['constructor', { constructor: 1 }],
    ['__proto__', JSON.parse('{"__proto__":{"paths":{}}}')],
  ];
  /** Headers that a contract can't set. */
  const reserved = [
    'Access-Key',
    'Content-Type',
    'CONTENT-TYPE',
    'cache-control',
    'scheme',
    'Accept-Encoding',
    'Content-Length',
    'transfer-encoding',
    'Host',
    'Connection',
    'Expect',
    'Upgrade',
    'Keep-Alive',
    'Proxy-Authorization',
  ].map((name) => [`headers.${name}`, { headers: { [name]: 'x', 'X-Tenant': 'blau' } }] as const);
  for (const [at, overrides] of [...invalid, ...reserved]) {
    it(`with the overrides ${JSON.stringify(overrides)} falls back to the default and reports an error at "${at}"`, () => {
      const { contract, faults } = readContract(overrides);
      assert.deepEqual(contract, DEFAULT_CONTRACT);
      assert.deepEqual(faults, [at]);
    });
  }

  it('accepts only the placeholders that each part supports', () => {
    const place = '/${b}';
    const { faults } = readContract({
      fileTask: { fields: { a: '${b}' }, taskId: place },
      queryTask: { body: '${b}', status: place },
    });
    assert.deepEqual(faults, ['fileTask.fields.a', 'fileTask.taskId', 'queryTask.body', 'queryTask.status']);
    const fields = Object.fromEntries(FILE_PLACEHOLDERS.map((name) => [name, `<\${${name}}> $ {x} \${}`]));
    assert.deepEqual(readContract({ fileTask: { fields } }).faults, []);
  });

  it('is the default if the overrides are invalid, and reading it never fails, whatever JSON they contain', () => {
    fc.assert(
      fc.property(overridesOfAnyKind, (settings) => {
        const { contract, faults } = readContract(settings);
        if (faults.length > 0) assert.deepEqual(contract, DEFAULT_CONTRACT);
        assert.deepEqual(readContract(JSON.parse(JSON.stringify(contract))), { contract, faults: [] });
      }),
      { numRuns: 500 },
    );
  });
});

const anyName = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'a.b', 'X-Tenant', '0', ''),
  fc.string(),
);
const anyPart = (value: fc.Arbitrary<unknown>) => fc.oneof({ arbitrary: value, weight: 4 }, fc.jsonValue());
const dictionaryOf = (value: fc.Arbitrary<unknown>) => anyPart(fc.dictionary(anyName, anyPart(value), { maxKeys: 4 }));
const optional = (parts: Record<string, fc.Arbitrary<unknown>>) => anyPart(fc.record(parts, { requiredKeys: [] }));
const pointers = fc.oneof(fc.constantFrom('', '/a', '/a~1b/0', 'a', '/~2'), fc.string());

/** JSON that resembles contract overrides. */
const overridesOfAnyKind = optional({
  paths: optional({ fileTask: anyPart(pointers), queryTask: anyPart(pointers), other: fc.jsonValue() }),
  headers: dictionaryOf(fc.string()),
  fileTask: optional({
    filePart: anyPart(fc.string()),
    mediaType: anyPart(fc.constantFrom('text/plain', 'text/plain; charset=utf-8', 'text')),
    fileNameEncoding: anyPart(fc.constantFrom('utf8', 'percent', 'both', 'latin1')),
    fields: dictionaryOf(fc.constantFrom('${size}', '${x}', 'a')),
    taskId: anyPart(pointers),
  }),
  queryTask: optional({
    body: anyPart(fc.constantFrom('${taskId}', '${x}')),
    status: anyPart(pointers),
    statusMeanings: dictionaryOf(fc.constantFrom('running', 'succeeded', 'failed', 'done')),
  }),
  codes: optional({ badKey: anyPart(fc.array(anyPart(fc.string()))), more: fc.jsonValue() }),
  [`__proto__`]: fc.jsonValue(),
}).map((settings): unknown => JSON.parse(JSON.stringify(settings)));

describe('A contract override', () => {
  it('can be set, changed and removed without leaving empty sections behind', () => {
    const at = ['queryTask', 'statusMeanings', 'INDEXING_2'];
    const set = withOverride(undefined, at, 'running');
    assert.deepEqual(set, { queryTask: { statusMeanings: { INDEXING_2: 'running' } } });
    const changed = withOverride(set, at, 'failed');
    assert.deepEqual(changed, { queryTask: { statusMeanings: { INDEXING_2: 'failed' } } });
    const two = withOverride(changed, ['queryTask', 'status'], '/state');
    assert.deepEqual(withOverride(two, at, undefined), { queryTask: { status: '/state' } });
    assert.deepEqual(withOverride(changed, at, undefined), {});
    assert.deepEqual(withOverride(undefined, at, undefined), {});
  });

  it("leaves all other settings unchanged, even if they are invalid, and doesn't modify the original object", () => {
    const settings = Object.freeze({
      typo: 1,
      fileTask: Object.freeze({ filePart: 7, fields: Object.freeze({ a: '1' }) }),
    });
    assert.deepEqual(withOverride(settings, ['fileTask', 'taskId'], '/id'), {
      typo: 1,
      fileTask: { filePart: 7, fields: { a: '1' }, taskId: '/id' },
    });
  });

  it("replaces an existing section that isn't an object", () => {
    for (const none of [null, 7, 'a', [], ['a']]) {
      assert.deepEqual(withOverride(none, ['fileTask', 'taskId'], '/id'), { fileTask: { taskId: '/id' } });
      assert.deepEqual(withOverride({ fileTask: none }, ['fileTask', 'taskId'], '/id'), {
        fileTask: { taskId: '/id' },
      });
    }
  });

  it('stays in effect alongside any other overrides until it is removed', () => {
    const name = fc.oneof(fc.constantFrom('toString', 'a.b', '0'), fc.string({ minLength: 1 }));
    const pointer = fc.array(fc.string()).map((names) => jsonPointer(...names));
    const parts: fc.Arbitrary<readonly [at: readonly string[], value: unknown]> = fc.oneof(
      fc.tuple(fc.constantFrom(['fileTask', 'taskId'], ['queryTask', 'status'], ['queryTask', 'progress']), pointer),
      fc.tuple(
        name.map((status) => ['queryTask', 'statusMeanings', status]),
        fc.constantFrom('running', 'succeeded', 'failed'),
      ),
      fc.tuple(
        name.map((field) => ['fileTask', 'fields', field]),
        fc.constantFrom('a', '${size}', ''),
      ),
      fc.tuple(
        fc.stringMatching(/^X-[a-z]+$/).map((header) => ['headers', header]),
        fc.stringMatching(/^[ -~]*$/),
      ),
      fc.tuple(fc.constantFrom(['codes', 'badKey'], ['codes', 'tryLater']), fc.array(fc.string())),
      fc.tuple(fc.constant(['queryTask', 'body']), fc.dictionary(fc.string({ unit: fc.constant('a') }), fc.boolean())),
    );
    fc.assert(
      fc.property(overridesOfAnyKind.map(onlyIfValid), parts, (settings, [at, value]) => {
        const set = withOverride(settings, at, value);
        const { contract, faults } = readContract(set);
        assert.deepEqual(valueIn(contract, at), value);
        assert.ok(!faults.includes(at.join('.')));
        const removed = withOverride(set, at, undefined);
        assert.deepEqual(valueIn(readContract(removed).contract, at), valueIn(DEFAULT_CONTRACT, at));
        assert.deepEqual(valueIn(removed, at), undefined);
      }),
      { numRuns: 300 },
    );
  });
});

/** The overrides, or undefined if they are invalid. */
function onlyIfValid(settings: unknown): unknown {
  return readContract(settings).faults.length === 0 ? settings : undefined;
}

function valueIn(settings: unknown, at: readonly string[]): unknown {
  return at.reduce<unknown>(
    (part, key) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, key) ? Reflect.get(part, key) : undefined,
    settings,
  );
}
