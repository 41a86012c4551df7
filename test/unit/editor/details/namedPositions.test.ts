import assert from 'node:assert/strict';
import { namedPositions } from '../../../../src/editor/details/namedPositions';

describe('The positions that a text of a service names', () => {
  const named: readonly (readonly [text: string, ...found: readonly (readonly [words: string, position: object])[]])[] =
    [
      ['Bad value in line 88', ['line 88', { line: 88 }]],
      ['LINE: 88 is torn', ['LINE: 88', { line: 88 }]],
      ['(line #88)', ['line #88', { line: 88 }]],
      ['Line number 88.', ['Line number 88', { line: 88 }]],
      ['line no. 88; lineno 89', ['line no. 88', { line: 88 }], ['lineno 89', { line: 89 }]],
      ['{"line":88,"column":5}', ['line":88,"column":5', { line: 88, column: 5 }]],
      ['{"line_number": 88}', ['line_number": 88', { line: 88 }]],
      ['at line=88', ['line=88', { line: 88 }]],
      ['line 88, column 5: a quote', ['line 88, column 5', { line: 88, column: 5 }]],
      ['line: 88, column: 5', ['line: 88, column: 5', { line: 88, column: 5 }]],
      ['line 88 col. 5', ['line 88 col. 5', { line: 88, column: 5 }]],
      ['line 88:5: a quote', ['line 88:5', { line: 88, column: 5 }]],
      ['line 88: 5 quotes', ['line 88', { line: 88 }]],
      ['lines are broken, the first is line 0', ['line 0', { line: 0 }]],
      ['Row 7, column 3 is empty', ['Row 7', { line: 7 }]],
      ['row: 7, row #8', ['row: 7', { line: 7 }], ['row #8', { line: 8 }]],
      ['at offset 1204', ['offset 1204', { offset: 1204 }]],
      ['Byte: 1204', ['Byte: 1204', { offset: 1204 }]],
      ['at byte offset 1204', ['byte offset 1204', { offset: 1204 }]],
      ['第 88 行有误', ['第 88 行', { line: 88 }]],
      ['错误位于第88行第5列。', ['第88行第5列', { line: 88, column: 5 }]],
      ['第 88 行，第 5 列: 引号', ['第 88 行，第 5 列', { line: 88, column: 5 }]],
      ['见第 72 字节', ['第 72 字节', { offset: 72 }]],
      ['第 72 个字节', ['第 72 个字节', { offset: 72 }]],
      ['在line 88处', ['line 88', { line: 88 }]],
      ['Torn:\\nline 88\\n\\trow 7', ['line 88', { line: 88 }], ['row 7', { line: 7 }]],
      ['line 999999999999999', ['line 999999999999999', { line: 999_999_999_999_999 }]],
    ];
  for (const [text, ...found] of named)
    it(`are all in: ${text}`, () => {
      assert.deepEqual(
        namedPositions(text).map(({ position, start, end }) => [text.slice(start, end), position]),
        found,
      );
    });

  const unnamed = [
    'Torn page',
    '88 lines, 7 rows',
    'rows: 100, lines: 88',
    'deadline 88, multi-line 88, arrow 7, first_row 7',
    'line88, row7, byte2',
    'line -1',
    'line 1,204',
    'row 1.204',
    'line 2.0',
    'line 88th, byte 0xd3',
    'line 12…',
    'line 9999999999999999',
    'line \\u202e88',
    'In this line. 5 errors',
    '共 88 行，72 字节',
    '第 12… 行',
  ];
  for (const text of unnamed) it(`are none in: ${text}`, () => assert.deepEqual(namedPositions(text), []));

  it('are found in a million characters that nearly name one as soon as in any others', () => {
    for (const part of ['line ', 'line no. ', 'line 1, col', '1', ' ', '"', 'byte offset ', 'line 1234567890123456 ']) {
      const text = `line ${part.repeat(1_000_000 / part.length)}`;
      assert.ok(namedPositions(text).length <= 1, part);
    }
  });
});
