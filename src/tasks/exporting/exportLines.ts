import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { withoutFormulas } from '../../files/formulas';
import type { TrackedTask } from '../trackedTask';
import { EXPORTED_COLUMNS, type ExportedTask, exportedTask } from './exportedTask';

export type ExportFormat = 'csv' | 'jsonLines';

/** Tasks as the text of a file, one line a task, page by page as they are read: never all of them in memory. */
export function exportLines(pages: AsyncIterable<readonly TrackedTask[]>, format: ExportFormat): Readable {
  return Readable.from(linesOf(pages, format));
}

/** A table begins with a byte order mark, without which spreadsheets do not read it as UTF-8. */
async function* linesOf(pages: AsyncIterable<readonly TrackedTask[]>, format: ExportFormat): AsyncGenerator<string> {
  if (format === 'csv') yield `\ufeff${EXPORTED_COLUMNS.join(',')}\n`;
  for await (const page of pages) {
    const tasks = page.map(exportedTask);
    if (tasks.length > 0)
      yield format === 'csv' ? tableRows(tasks) : tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
  }
}

/** Names of files and messages come from outside, and are not to be calculated. */
function tableRows(tasks: readonly ExportedTask[]): string {
  const rows = tasks.map((task) => ({ ...task, taskIds: task.taskIds.join(' ') }));
  return stringify(rows, { columns: EXPORTED_COLUMNS, cast: { string: withoutFormulas } });
}
