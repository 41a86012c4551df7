import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../src/service/contract';
import { readContract } from '../../../src/service/contractOverrides';

describe('The contract of a dataset', () => {
  it('is what is shown and assumed where nothing is overridden', () => {
    for (const nothing of [undefined, null, {}, { paths: {}, fileTask: {}, queryTask: {}, codes: {} }]) {
      assert.deepEqual(readContract(nothing), { contract: DEFAULT_CONTRACT, faults: [] });
    }
  });

  it('takes each override by itself', () => {
    const overrides = {
      paths: { setWebhook: '/hooks/set-webhook' },
      headers: { 'X-Tenant': 'blau' },
      fileTask: { fields: { datasetCode: 'A1' }, taskId: '/task/no' },
      queryTask: { body: { ids: ['${taskId}'] }, statusMeanings: { INDEXING_2: 'running' } },
      codes: { badKey: ['401'] },
    };
    assert.deepEqual(readContract(overrides), {
      contract: {
        paths: {
          fileTask: '/openapi/open/v1/file-task',
          queryTask: '/openapi/open/v1/query-task',
          setWebhook: '/hooks/set-webhook',
        },
        headers: { 'X-Tenant': 'blau' },
        fileTask: { filePart: 'file', fields: { datasetCode: 'A1' }, taskId: '/task/no' },
        queryTask: {
          body: { ids: ['${taskId}'] },
          status: undefined,
          progress: undefined,
          message: undefined,
          statusMeanings: { INDEXING_2: 'running' },
        },
        codes: { badKey: ['401'], tryLater: [] },
      },
      faults: [],
    });
  });

  const misfits: readonly (readonly [at: string, overrides: unknown])[] = [
    ['', 'a string'],
    ['path', { path: {} }],
    ['paths.fileTask', { paths: { fileTask: 'openapi' } }],
    ['paths.fileTask', { paths: { fileTask: 'https://evil.example/' } }],
    ['paths.queryTask', { paths: { queryTask: '/a b' } }],
    ['paths.queryTask', { paths: { queryTask: '/a\r\nX: y' } }],
    ['paths.setWebhook', { paths: { setWebhook: '/a#b' } }],
    ['paths.other', { paths: { other: '/a' } }],
    ['headers.X Tenant', { headers: { 'X Tenant': 'a' } }],
    ['headers.X-Tenant', { headers: { 'X-Tenant': 'a\r\nb' } }],
    ['headers.X-Tenant', { headers: { 'X-Tenant': '–' } }],
    ['headers.X-Tenant', { headers: { 'X-Tenant': 1 } }],
    ['fileTask.filePart', { fileTask: { filePart: '' } }],
    ['fileTask.taskId', { fileTask: { taskId: 'taskId' } }],
    ['fileTask.fields.n', { fileTask: { fields: { n: 1 } } }],
    ['queryTask.status', { queryTask: { status: '/~2' } }],
    ['queryTask.progress', { queryTask: { progress: null } }],
    ['queryTask.statusMeanings.OK', { queryTask: { statusMeanings: { OK: 'fine' } } }],
    ['codes.badKey.1', { codes: { badKey: ['401', 403] } }],
  ];
  for (const [at, overrides] of misfits) {
    it(`names the place of what does not fit: ${JSON.stringify(overrides)}`, () => {
      const { contract, faults } = readContract(overrides);
      assert.deepEqual(contract, DEFAULT_CONTRACT);
      assert.deepEqual(
        faults.map((fault) => fault.at),
        [at],
      );
      assert.notEqual(faults[0]?.words, '');
    });
  }

  const fixed = [
    'Access-Key',
    'access-key',
    'Content-Type',
    'CONTENT-TYPE',
    'cache-control',
    'Cache-Control',
    'scheme',
  ];
  const framing = ['Content-Length', 'transfer-encoding', 'Host', 'Connection', 'Expect', 'Upgrade', 'Keep-Alive'];
  for (const name of [...fixed, ...framing, 'Proxy-Authorization']) {
    it(`cannot touch the header ${name}`, () => {
      assert.deepEqual(readContract({ headers: { [name]: 'x', 'X-Tenant': 'blau' } }), {
        contract: { ...DEFAULT_CONTRACT, headers: { 'X-Tenant': 'blau' } },
        faults: [{ at: `headers.${name}`, words: 'is a header that cannot be changed' }],
      });
    });
  }
});
