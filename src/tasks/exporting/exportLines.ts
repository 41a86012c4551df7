import { Readable } from 'node:stream';
import { stringify } from 'csv-stringify/sync';
import { withoutFormulas } from '../../files/formulas';
import type { TrackedTask } from '../trackedTask';
import { EXPORTED_COLUMNS, type ExportedTask, exportedTask } from './exportedTask';

export type ExportFormat = 'csv' | 'jsonLines';

/** Tasks as the text of a file, one line a task, as they are read: never all of them in memory. */
export function exportLines(tasks: AsyncIterable<TrackedTask>, format: ExportFormat): Readable {
  return Readable.from(format === 'csv' ? tableRows(tasks) : jsonLines(tasks));
}

async function* jsonLines(tasks: AsyncIterable<TrackedTask>): AsyncGenerator<string> {
  for await (const task of tasks) yield `${JSON.stringify(exportedTask(task))}\n`;
}

/** Begins with a byte order mark, without which spreadsheets do not read it as UTF-8. */
async function* tableRows(tasks: AsyncIterable<TrackedTask>): AsyncGenerator<string> {
  yield `\ufeff${EXPORTED_COLUMNS.join(',')}\n`;
  for await (const task of tasks) yield tableRow(exportedTask(task));
}

/** Names of files and messages come from outside, and are not to be calculated. */
function tableRow(task: ExportedTask): string {
  return stringify([{ ...task, taskIds: task.taskIds.join(' ') }], {
    columns: EXPORTED_COLUMNS,
    cast: { string: withoutFormulas },
  });
}
