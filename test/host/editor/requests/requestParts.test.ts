import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bodyWithMember,
  extraHeaders,
  filePart,
  formFields,
  partFault,
  pathsAndCodes,
  queryBody,
  type RequestPart,
  typedValue,
} from '../../../../src/editor/requests/requestParts';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { readContract, withOverride } from '../../../../src/service/contract/contractOverrides';

const contract = readContract({
  headers: { 'X-Tenant': '42' },
  fileTask: { filePart: 'doc', fields: { title: '${fileName}' } },
  codes: { tryLater: ['429', '503'] },
}).contract;

describe('The parts of a request', () => {
  it('are called as people call them, and show what they are now', () => {
    const all = [
      filePart(contract),
      ...formFields(contract).parts,
      queryBody(contract, undefined),
      ...extraHeaders(contract).parts,
      ...pathsAndCodes(contract),
    ];
    assert.deepEqual(
      all.map(({ label, now }) => [label, now]),
      [
        ['File Part Name', 'doc'],
        ["Form Field 'title'", '${fileName}'],
        ['Status Check Body', '{"taskId":"${taskId}"}'],
        ["Header 'X-Tenant'", '42'],
        ['Import Path', '/openapi/open/v1/file-task'],
        ['Status Check Path', '/openapi/open/v1/query-task'],
        ['Webhook Path', '/openapi/open/v1/set-webhook'],
        ['Codes That Mean a Bad Access Key', ''],
        ['Codes That Mean Try Again Later', '429, 503'],
      ],
    );
  });

  it('take what is typed to their own place, and an empty text as the default', () => {
    const typed: [RequestPart, string, unknown][] = [
      [filePart(contract), ' document ', { fileTask: { filePart: 'document' } }],
      [formFields(contract).part('code'), 'A1', { fileTask: { fields: { code: 'A1' } } }],
      [extraHeaders(contract).part('X-A'), 'b', { headers: { 'X-A': 'b' } }],
      [queryBody(contract, undefined), '{"ids":["${taskId}"]}', { queryTask: { body: { ids: ['${taskId}'] } } }],
      [pathsAndCodes(contract)[3] ?? assert.fail(), '401, ,4010', { codes: { badKey: ['401', '4010'] } }],
    ];
    for (const [part, text, overrides] of typed) {
      assert.equal(partFault({}, part, text), undefined, part.label);
      assert.deepEqual(withOverride({}, part.at, typedValue(part, text)), overrides);
      assert.equal(typedValue(part, '  '), undefined, part.label);
      assert.equal(partFault({}, part, '  '), undefined, part.label);
    }
  });

  it('refuse what cannot be used, in a sentence', () => {
    for (const [what, part, typed, says] of [
      ['a body that is not JSON', queryBody(contract, undefined), '{taskId}', /^This is not JSON\.$/],
      [
        'a placeholder that the body does not know',
        queryBody(contract, undefined),
        '"${id}"',
        /placeholder.*\$\{taskId\}/,
      ],
      [
        'a placeholder that a field does not know',
        formFields(contract).part('a'),
        '${name}',
        /placeholder.*\$\{fileName\}/,
      ],
      ['a header that is the key', extraHeaders(contract).part('access-key'), 'x', /header that cannot be changed/],
      ['a header name with a space', extraHeaders(contract).part('X A'), 'x', /must be a valid header name/],
      [
        'a line break in a header',
        extraHeaders(contract).part('X-A'),
        'a\r\nB: c',
        /characters that are not allowed in a header/,
      ],
      ['a path without its /', pathsAndCodes(contract)[0] ?? assert.fail(), 'file-task', /begins with \//],
    ] as const) {
      const fault = partFault({}, part, typed);
      assert.match(fault ?? '', says, what);
      assert.match(fault ?? '', /^[A-Z].*\.$/, what);
    }
  });

  it('are not refused for a fault in another part', () => {
    const overrides = { queryTask: { status: 'st' }, headers: { Host: 'x' } };
    assert.equal(partFault(overrides, filePart(contract), 'document'), undefined);
    assert.equal(partFault(overrides, extraHeaders(contract).part('X-A'), 'x'), undefined);
    assert.equal(partFault(overrides, queryBody(contract, undefined), '{}'), undefined);
  });

  it('begin the body of the query with the name under which the id came, where the body is the default', () => {
    assert.equal(queryBody(DEFAULT_CONTRACT, 'jobNo').suggestion, '{"jobNo":"${taskId}"}');
    const own = readContract({ queryTask: { body: { a: '${taskId}' } } }).contract;
    assert.equal(queryBody(own, 'jobNo').suggestion, '{"a":"${taskId}"}');
  });

  it('hold in the body of the query what the service asked for: the ID where it is called like one, else an empty text', () => {
    const own = readContract({ queryTask: { body: { q: '${taskId}' } } }).contract;
    const list = readContract({ queryTask: { body: ['${taskId}'] } }).contract;
    const nested = readContract({ queryTask: { body: { jobs: [{ id: '${taskId}' }] } } }).contract;
    for (const [of, name, suggestion] of [
      [DEFAULT_CONTRACT, 'jobNo', '{"jobNo":"${taskId}"}'],
      [DEFAULT_CONTRACT, 'receiptNo', '{"receiptNo":"${taskId}"}'],
      [DEFAULT_CONTRACT, 'taskIds', '{"taskIds":["${taskId}"]}'],
      [DEFAULT_CONTRACT, 'import_id_list', '{"import_id_list":["${taskId}"]}'],
      [DEFAULT_CONTRACT, 'lang', '{"taskId":"${taskId}","lang":""}'],
      [DEFAULT_CONTRACT, 'datasetId', '{"taskId":"${taskId}","datasetId":""}'],
      [own, 'id', '{"q":"${taskId}","id":"${taskId}"}'],
      [own, 'lang', '{"q":"${taskId}","lang":""}'],
      [list, 'lang', '["${taskId}"]'],
      // A dotted name is a member of a member, and brackets are those of a list.
      [DEFAULT_CONTRACT, 'job.ref', '{"job":{"ref":"${taskId}"}}'],
      [DEFAULT_CONTRACT, 'ids[]', '{"ids":["${taskId}"]}'],
      [DEFAULT_CONTRACT, 'jobs[].id', '{"jobs":[{"id":"${taskId}"}]}'],
      [DEFAULT_CONTRACT, 'meta.lang', '{"taskId":"${taskId}","meta":{"lang":""}}'],
      [DEFAULT_CONTRACT, 'langs[]', '{"taskId":"${taskId}","langs":[""]}'],
      [nested, 'jobs[0].lang', '{"jobs":[{"id":"${taskId}","lang":""}]}'],
      [nested, 'jobs.lang', '{"jobs":{"lang":""}}'],
    ] as const) {
      const part = bodyWithMember(of, name);
      assert.equal(part.suggestion, suggestion);
      assert.equal(partFault({}, part, suggestion), undefined);
    }
  });

  it('hold the ID under a name by which the service returned it, whatever that is', () => {
    assert.equal(bodyWithMember(DEFAULT_CONTRACT, 'slip', ['slip', 'ref']).suggestion, '{"slip":"${taskId}"}');
    assert.equal(
      bodyWithMember(DEFAULT_CONTRACT, 'print.slip', ['slip', 'ref']).suggestion,
      '{"print":{"slip":"${taskId}"}}',
    );
    assert.equal(bodyWithMember(DEFAULT_CONTRACT, 'slip', ['ticket']).suggestion, '{"taskId":"${taskId}","slip":""}');
  });

  it('are typed into the body of the query, where its value is empty or after its members, without replacing it', () => {
    for (const [{ suggestion, cursor }, before] of [
      [bodyWithMember(DEFAULT_CONTRACT, 'lang'), '{"taskId":"${taskId}","lang":"'],
      [bodyWithMember(DEFAULT_CONTRACT, 'meta.langs[]'), '{"taskId":"${taskId}","meta":{"langs":["'],
      [bodyWithMember(DEFAULT_CONTRACT, 'jobNo'), '{"jobNo":"${taskId}"'],
      [queryBody(DEFAULT_CONTRACT, undefined), '{"taskId":"${taskId}"'],
    ] as const)
      assert.equal(suggestion?.slice(0, cursor), before);
  });

  it('take any text for a form field that holds no placeholder', () => {
    const field = formFields(contract).part('title');
    fc.assert(
      fc.property(fc.string(), (text) => {
        if (text.includes('${')) return;
        assert.equal(partFault({}, field, text), undefined);
      }),
      { seed: 1 },
    );
  });
});
