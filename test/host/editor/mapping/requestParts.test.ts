import assert from 'node:assert/strict';
import {
  bodyWithMember,
  currentText,
  formField,
  header,
  partFault,
  type RequestPart,
  requestParts,
  typedValue,
} from '../../../../src/editor/mapping/requestParts';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { readContract, withOverride } from '../../../../src/service/contract/contractOverrides';

describe('The editable parts of a request', () => {
  const { contract } = readContract({
    headers: { 'X-Tenant': '42' },
    fileTask: { filePart: 'doc', fields: { title: '${fileName}' } },
  });
  const all = requestParts(contract);
  const partWithLabel = (wanted: string) => all.find(({ label }) => label === wanted) ?? assert.fail(wanted);

  it('show their current values', () => {
    const values = all.map((part) => [part.label, currentText(contract, part)]);
    assert.deepEqual(values, [
      ['File Part Name', 'doc'],
      ['Form Fields', '{"title":"${fileName}"}'],
      ['Status Check Body', '{"taskId":"${taskId}"}'],
      ['Headers', '{"X-Tenant":"42"}'],
    ]);
    assert.equal(currentText(contract, formField('constructor')), '');
  });

  it('are saved as separate settings, and reset when the user clears the input box', () => {
    const typed: [RequestPart, string, unknown][] = [
      [partWithLabel('File Part Name'), ' document ', { fileTask: { filePart: 'document' } }],
      [partWithLabel('Form Fields'), '{"code":"A1"}', { fileTask: { fields: { code: 'A1' } } }],
      [formField('code'), 'A1', { fileTask: { fields: { code: 'A1' } } }],
      [partWithLabel('Headers'), '{"X-A":"b"}', { headers: { 'X-A': 'b' } }],
      [header('X-A'), 'b', { headers: { 'X-A': 'b' } }],
      [partWithLabel('Status Check Body'), '{"ids":["${taskId}"]}', { queryTask: { body: { ids: ['${taskId}'] } } }],
    ];
    for (const [part, text, overrides] of typed) {
      assert.equal(partFault({}, part, text), undefined, part.label);
      assert.deepEqual(withOverride({}, part.at, typedValue(part, text)), overrides);
      assert.equal(typedValue(part, '  '), undefined, part.label);
    }
  });

  it('cannot be set to invalid values, but can be edited while other parts are invalid', () => {
    for (const [part, typed] of [
      [partWithLabel('Status Check Body'), '{taskId}'],
      [partWithLabel('Status Check Body'), '"${id}"'],
      [partWithLabel('Status Check Body'), '{"datasetId":1234567890123456789}'],
      [partWithLabel('Form Fields'), '{"a":"${name}"}'],
      [formField('a'), '${name}'],
      [header('access-key'), 'x'],
      [header('X A'), 'x'],
      [header('X-A'), 'a\r\nB: c'],
    ] as const)
      assert.match(partFault({}, part, typed) ?? '', /^['A-Z].*\.$/, `${part.label} ${typed}`);
    const overrides = { queryTask: { status: 'st' }, headers: { Host: 'x' } };
    assert.equal(partFault(overrides, partWithLabel('File Part Name'), 'document'), undefined);
    assert.equal(partFault(overrides, header('X-A'), 'x'), undefined);
  });

  it("suggest a placeholder based on a form field's name", () => {
    const proposals = ['docFileName', 'file_size', 'SIZE', 'relative_path', 'media-type[]', 'title'].map(
      (name) => formField(name).proposal,
    );
    assert.deepEqual(proposals, ['${fileName}', '${size}', '${size}', '${relativePath}', '${mediaType}', undefined]);
  });

  it('include the task ID as the suggested value of a body member with a name such as jobNo or taskIds', () => {
    const own = readContract({ queryTask: { body: { q: '${taskId}' } } }).contract;
    const list = readContract({ queryTask: { body: ['${taskId}'] } }).contract;
    for (const [of, name, proposal] of [
      [DEFAULT_CONTRACT, 'jobNo', '{"jobNo":"${taskId}"}'],
      [DEFAULT_CONTRACT, 'docRef', '{"docRef":"${taskId}"}'],
      [DEFAULT_CONTRACT, 'taskIds', '{"taskIds":["${taskId}"]}'],
      [DEFAULT_CONTRACT, 'import_id_list', '{"import_id_list":["${taskId}"]}'],
      [DEFAULT_CONTRACT, 'lang', '{"taskId":"${taskId}","lang":""}'],
      [DEFAULT_CONTRACT, 'datasetId', '{"taskId":"${taskId}","datasetId":""}'],
      [own, 'id', '{"q":"${taskId}","id":"${taskId}"}'],
      [list, 'lang', '["${taskId}"]'],
    ] as const)
      assert.equal(bodyWithMember(of, name).proposal, proposal);
  });
});
