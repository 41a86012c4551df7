import assert from 'node:assert/strict';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { readContract } from '../../../../src/service/contract/contractOverrides';
import { missingNames, namesIn } from '../../../../src/service/request/namedParts';

describe('The field name parser', () => {
  const named: Readonly<Record<string, readonly string[]>> = {
    // Names can be in any kind of quotes.
    "missing field 'lang'": ['lang'],
    '"lang" is required': ['lang'],
    'Le champ «langue» est obligatoire': ['langue'],
    'Das Feld „sprache“ fehlt': ['sprache'],
    '参数【lang】必填': ['lang'],
    '「lang」を入力してください': ['lang'],
    'the field `lang` must be set': ['lang'],
    'Param ‘lang’ is empty, “région” too': ['lang', 'région'],
    "'42' is no number, and 'two words' are no name": [],
    "param 'docs[]' cannot be empty, nor `pages[0].text`": ['docs[]', 'pages[0].text'],
    "'meta.lang' should not be empty": ['meta.lang'],
    'The header "X-Tenant" is required': ['X-Tenant'],
    // Each name is returned once, in order of appearance.
    "form part 'title' is required; form part 'code' is required; 'title' is empty": ['title', 'code'],
    // Without quotes, a name must be the only word before "is required".
    'name is required': ['name'],
    'Bad request: title is required, lang is required.': ['title', 'lang'],
    'parameter taskIds is required': [],
    'The file is required': [],
    缺少参数fileName: [],
    "can't be read, don't ask": [],
    系统异常: [],
    '': [],
  };
  for (const [message, names] of Object.entries(named)) {
    it(`finds ${names.join(', ') || 'no names'} in the message: ${message}`, () =>
      assert.deepEqual(namesIn(message, []), names));
  }

  it('ignores values from the request, such as the file name', () => {
    const values = ['notes_of_may.txt', 'my docs/notes_of_may.txt', 'job-7'];
    for (const message of ["File 'notes_of_may.txt' is empty", "'my docs/notes_of_may.txt'", "There is no 'job-7'"])
      assert.deepEqual(namesIn(message, values), [], message);
  });

  it('handles very long messages', () => {
    for (const piece of ['a', '"', "'a", 'aB', 'a.', 'a[', 'a[]', 'x-', '_a', '参'])
      namesIn(piece.repeat(1_000_000 / piece.length), ['a', 'x']);
  });
});

describe('A field name in a rejection', () => {
  it('counts as missing from an import if no form field, part or header has exactly that name', () => {
    const fileTask = { filePart: 'docs[]', fields: { 'meta.lang': 'en', code: 'A1' } };
    const { contract } = readContract({ fileTask, headers: { 'X-Tenant': 'acme' } });
    const names = ['docs[]', 'docs', 'meta.lang', 'lang', 'code', 'A1', 'x-tenant', 'acme', 'Access-Key', 'X-Other'];
    assert.deepEqual(missingNames(names, contract, 'fileTask'), ['docs', 'lang', 'X-Other']);
    assert.deepEqual(missingNames(['file', 'document'], DEFAULT_CONTRACT, 'fileTask'), ['document']);
  });

  it('counts as missing from a query if no member of the body, at any depth, has that name', () => {
    const { contract } = readContract({ queryTask: { body: { q: [{ ref: '${taskId}' }], lang: 'en' } } });
    const names = ['q', 'q[]', 'ref', 'q.ref', 'q[0].ref', 'lang', 'q.lang', 'taskid'];
    assert.deepEqual(missingNames(names, contract, 'queryTask'), ['q.lang', 'taskid']);
  });
});
