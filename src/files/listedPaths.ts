import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { withFormulas } from './formulas';

/** Max bytes read to find the first line of a list. */
const MAX_HEADER_BYTES = 64 * 1024;

/** Max size of an entry of a list, in bytes or characters: what is larger names no file. */
const MAX_ENTRY = 1024 * 1024;

/** An entry of a list cannot be read. */
export class ListError extends Error {
  override readonly name = 'ListError';

  constructor(
    /** Counted from 1. */
    readonly line: number,
    /** `broken`: it is not what the lines before it are; `tooLong`: what begins there does not end. */
    readonly reason: 'broken' | 'tooLong',
    options?: ErrorOptions,
  ) {
    super(`line ${line} of the list: ${reason}`, options);
  }
}

/**
 * The paths that a list names, in their order, as they are written there: of CSV with a header the column `path`, of JSON
 * Lines the member `path`, else one path a line. Lines without a path are passed over. @throws ListError
 */
export async function* listedPaths(list: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const chunks = list[Symbol.asyncIterator]();
  const begin = await beginning(chunks);
  const whole = Readable.from(continued(begin, chunks), { objectMode: false });
  const [header = ''] = withoutMark(begin.toString('utf8')).split(/\r?\n/, 1);
  const delimiter = delimiterOf(header);
  try {
    if (delimiter !== undefined) yield* pathsOfCsv(whole, delimiter);
    else if (header.trimStart().startsWith('{')) yield* pathsOfJson(linesOf(whole));
    else for await (const line of linesOf(whole)) if (line.trim() !== '') yield line;
  } finally {
    // Whoever leaves off early leaves a list that would be read to its end.
    whole.destroy();
  }
}

async function beginning(chunks: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let begin = Buffer.alloc(0);
  while (begin.length < MAX_HEADER_BYTES && !begin.includes('\n')) {
    const { done, value } = await chunks.next();
    if (done) break;
    begin = Buffer.concat([begin, value]);
  }
  return begin;
}

async function* continued(begin: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield begin;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** What separates the columns of a header that has one called `path`; undefined where it is none. */
function delimiterOf(header: string): string | undefined {
  const isPath = (column: string) => /^\s*"?path"?\s*$/i.test(column);
  return [',', ';', '\t'].find((delimiter) => header.split(delimiter).some(isPath));
}

async function* pathsOfCsv(list: Readable, delimiter: string): AsyncGenerator<string> {
  const columns = (names: readonly string[]) => names.map((name) => name.trim().toLowerCase());
  let line = 1;
  const onRecord = (record: unknown, { lines }: { readonly lines: number }) => {
    line = lines + 1;
    return record;
  };
  const lenient = { bom: true, columns, delimiter, relax_column_count: true, skip_empty_lines: true };
  const rows = parse({ ...lenient, max_record_size: MAX_ENTRY, on_record: onRecord });
  // What fails in the list is thrown by the rows.
  pipeline(list, rows, () => {});
  try {
    for await (const { path = '' } of rows as AsyncIterable<{ readonly path?: string }>)
      if (path !== '') yield withFormulas(path);
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause;
    if (cause.code === 'CSV_MAX_RECORD_SIZE') throw new ListError(line, 'tooLong');
    throw new ListError(Number(cause['lines']), 'broken', { cause });
  }
}

async function* pathsOfJson(lines: AsyncIterable<string>): AsyncGenerator<string> {
  let number = 0;
  for await (const line of lines) {
    number++;
    const path = line.trim() === '' ? undefined : pathIn(line, number);
    if (path !== undefined && path !== '') yield path;
  }
}

function pathIn(line: string, number: number): string | undefined {
  try {
    const { path } = JSON.parse(line) as { readonly path?: unknown };
    return typeof path === 'string' ? path : undefined;
  } catch (cause) {
    throw new ListError(number, 'broken', { cause });
  }
}

/** @throws ListError where a line does not end */
async function* linesOf(list: Readable): AsyncGenerator<string> {
  let number = 0;
  let rest = '';
  for await (const text of list.setEncoding('utf8')) {
    const lines = `${rest}${text}`.split(/\r?\n|\r(?=[^\n])/);
    rest = lines.pop() ?? '';
    for (const line of lines) yield number++ === 0 ? withoutMark(line) : line;
    if (rest.length > MAX_ENTRY) throw new ListError(number + 1, 'tooLong');
  }
  const last = rest.replace(/\r$/, '');
  yield number === 0 ? withoutMark(last) : last;
}

function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
