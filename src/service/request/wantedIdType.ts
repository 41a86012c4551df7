/** The type of JSON that an id is to have in a query. */
export type IdType = 'number' | 'text';

const NUMBER = '(?:number|numeric|integer|int|int64|long|bigint)(?!\\p{L})|数字|数值|整数|整型|数値|숫자|целое|числ';
const TEXT = '(?:string|str|text)(?!\\p{L})|字符串|文本|文字列|문자열|строк';
const WANTED = new RegExp(
  `(?:must|should|has to|expect\\p{L}*|requires?|required|needs?|not an?|into?|type|必须|必須|应|應|需|不是|должн)[^.;,]{0,40}?(?:(${NUMBER})|(${TEXT}))`,
  'iu',
);

/** The type that a rejection wants, by its words: "taskId must be a number", "expected string"; undefined for none. */
export function wantedIdType(words: readonly string[]): IdType | undefined {
  const [, number, text] = words.map((each) => WANTED.exec(each)).find((match) => match !== null) ?? [];
  if (number !== undefined) return 'number';
  return text === undefined ? undefined : 'text';
}
