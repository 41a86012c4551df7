import type { FilePosition } from '../taskItems/tasksNode';

/** A position in a file, and where the words that name it are in a text. */
interface NamedPosition {
  readonly position: FilePosition;
  readonly start: number;
  readonly end: number;
}

/** No more digits than a number holds exactly. */
const NUMBER = '\\d{1,15}';
const SIGNS = `["']? {0,2}[:=]? {0,2}#?`;
const NO = '(?:[ _]?(?:number\\b|no\\b\\.?)|\\b)';

/** How services name a position. No part of a form repeats without a limit, so that the time is linear. */
const FORMS = [
  // line 88 · Line: 88 · line #88 · line no. 88 · "line":88 · line 88, column 5 · line 88:5
  `line${NO}${SIGNS}(?<line>${NUMBER})(?:(?::|,? {0,2}["']?col(?:umn)?\\b\\.?${SIGNS})(?<column>${NUMBER}))?`,
  // row 7, in the same ways. It counts as a line: whether the header of CSV is a row is a matter of the service, and to
  // open the file one line off does no harm. A column of a row is one of a table, and no position in the line.
  `row${NO}${SIGNS}(?<row>${NUMBER})`,
  // offset 1204 · byte 1204 · byte offset 1204
  `(?:byte offset|offset|byte)${NO}${SIGNS}(?<offset>${NUMBER})`,
];

/** The same in Chinese, with the words around the number. */
const CHINESE_FORMS = [
  // 第 88 行 · 第88行第5列 · 第 88 行，第 5 列
  `第 ?(?<chineseLine>${NUMBER}) ?行(?:[，,]? ?第 ?(?<chineseColumn>${NUMBER}) ?列)?`,
  // 第 1204 字节 · 第 1204 个字节
  `第 ?(?<chineseOffset>${NUMBER}) ?个?字节`,
];

/** Not in a longer word, unless it follows a line break or tab, which are shown as escapes. */
const BEFORE = '(?<=^|[^\\w-]|\\\\[nrt])';
/** Not where the number is longer, has a fraction or separators, or is cut. */
const AFTER = '(?!\\w|[.,]\\d|…)';
const POSITION = new RegExp(`${BEFORE}(?:${FORMS.join('|')})${AFTER}|${CHINESE_FORMS.join('|')}`, 'gi');

/** The positions in a file that a text names, as it is shown. */
export function namedPositions(text: string): NamedPosition[] {
  return [...text.matchAll(POSITION)].map(({ 0: words, index, groups = {} }) => {
    const line = groups['line'] ?? groups['row'] ?? groups['chineseLine'];
    const column = groups['column'] ?? groups['chineseColumn'];
    const offset = groups['offset'] ?? groups['chineseOffset'];
    const position =
      offset === undefined
        ? { line: Number(line), ...(column !== undefined && { column: Number(column) }) }
        : { offset: Number(offset) };
    return { position, start: index, end: index + words.length };
  });
}
