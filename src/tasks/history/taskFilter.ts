import type { SQLInputValue } from 'node:sqlite';
import { NO_PROGRESS_MS, type TaskState } from '../trackedTask';

/** Which tasks are meant: those for which all that is given holds. */
export interface TaskFilter {
  readonly states?: readonly TaskState[];
  readonly dataset?: string;
  /** Only running tasks that made no progress for a long time. */
  readonly noProgress?: true;
  /** What the name or path of the file, or the task ID, contains; ASCII letters in either case. */
  readonly text?: string;
}

/** A condition in SQL and its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export function conditionOf({ states, dataset, noProgress, text }: TaskFilter): SqlCondition {
  return allOf([
    ...(states === undefined
      ? []
      : [{ sql: 'state IN (SELECT value FROM json_each(?))', values: [JSON.stringify(states)] }]),
    ...(dataset === undefined ? [] : [{ sql: 'dataset = ?', values: [JSON.stringify(dataset)] }]),
    ...(noProgress === undefined ? [] : [{ sql: NO_PROGRESS, values: [NO_PROGRESS_MS] }]),
    ...(text === undefined ? [] : [containing(text)]),
  ]);
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: ['TRUE', ...conditions.map(({ sql }) => sql)].join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

/** As `noProgressMs` has it. */
const NO_PROGRESS = `state IN ('waiting', 'noReport', 'running') AND last_query_error IS NULL
  AND checked_ms <= unixepoch('subsec') * 1000 - ?`;

function containing(text: string): SqlCondition {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const columns = ['name', 'path', 'task_id'];
  const any = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ');
  return { sql: `(${any})`, values: columns.map(() => pattern) };
}
