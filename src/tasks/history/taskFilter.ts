import type { SQLInputValue } from 'node:sqlite';
import type { TaskState } from '../trackedTask';

/** Which tasks are meant: those for which all that is given holds. */
export interface TaskFilter {
  readonly states?: readonly TaskState[];
  readonly dataset?: string;
  /** What the name or path of the file, or the task ID, contains; ASCII letters in either case. */
  readonly text?: string;
}

/** A condition in SQL and its parameters. */
export interface SqlCondition {
  readonly sql: string;
  readonly values: readonly SQLInputValue[];
}

export function conditionOf({ states, dataset, text }: TaskFilter): SqlCondition {
  return allOf([
    ...(states === undefined
      ? []
      : [{ sql: 'state IN (SELECT value FROM json_each(?))', values: [JSON.stringify(states)] }]),
    ...(dataset === undefined ? [] : [{ sql: 'dataset = ?', values: [JSON.stringify(dataset)] }]),
    ...(text === undefined ? [] : [containing(text)]),
  ]);
}

export function allOf(conditions: readonly SqlCondition[]): SqlCondition {
  return {
    sql: ['TRUE', ...conditions.map(({ sql }) => sql)].join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  };
}

function containing(text: string): SqlCondition {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const columns = ['name', 'path', 'task_id'];
  const any = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ');
  return { sql: `(${any})`, values: columns.map(() => pattern) };
}
