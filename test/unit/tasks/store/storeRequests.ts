import { type TaskId, typedTaskId } from '../../../../src/service/json/taskId';
import type { ImportStoreCalls } from '../../../../src/tasks/store/importStoreProgram';
import type {
  Cause,
  Content,
  End,
  NewImport,
  QueueRequest,
  Report,
  TaskFacts,
} from '../../../../src/tasks/store/model';

/** The destination that most tests use. */
export const MANUALS = { dataset: 'Manuals', origin: 'https://import.example' };

export function taskIdOf(text: string): TaskId {
  return typedTaskId(text, 'string');
}

export function fileOf(name: string, facts: Partial<NewImport> = {}): NewImport {
  return {
    path: `/notes/${name}`,
    name,
    relativePath: `notes/${name}`,
    textFile: null,
    sizeBytes: 12,
    modifiedMs: 5,
    sha256: null,
    seen: null,
    ...facts,
  };
}

export function filesOf(...names: readonly (string | number)[]): NewImport[] {
  return names.map((name) => fileOf(String(name)));
}

export function requestOf(run: string, files: readonly NewImport[], facts: Partial<QueueRequest> = {}): QueueRequest {
  const batch = files.length > 1 ? { label: 'notes', folder: '/notes' } : null;
  return { destination: MANUALS, run, batch, skipped: {}, files, ...facts };
}

export function contentOf(sha256: string): Content {
  return { sizeBytes: 12, modifiedMs: 5, sha256 };
}

export function accepted(attempt: string, id?: string, facts: Partial<End> = {}): End {
  const taskIds = id === undefined ? [] : [typedTaskId(id, 'string')];
  const response = JSON.stringify({ code: '0', data: { taskId: id } });
  return { attempt, outcome: 'accepted', taskIds, response, sentBytes: 12, brake: 0, ...facts };
}

export function unconfirmed(attempt: string, facts: Partial<End> = {}): End {
  const cause = { name: 'ConnectionLostError', reason: 'reset' };
  return { attempt, outcome: 'unconfirmed', cause, sentBytes: 5, brake: 1, ...facts };
}

export function rejected(attempt: string, code = '42', facts: Partial<End> = {}): End {
  const cause = { name: 'Rejected', code, message: 'No.' };
  return { attempt, outcome: 'rejected', cause, sentBytes: 12, brake: 0, ...facts };
}

/** The result of a status check. If `cause` is set, the check failed. */
export interface Found extends Partial<TaskFacts> {
  readonly cause?: Cause;
  readonly response?: string;
  readonly source?: string | null;
}

/** Creates the report for a status check that starts now. */
export async function reportOf(
  store: Pick<ImportStoreCalls, 'rowsAfter'>,
  importId: number,
  id: TaskId,
  { cause, response, source = null, ...facts }: Found,
): Promise<Report> {
  const rows = await store.rowsAfter({ filter: {}, after: 0, limit: 10_000 });
  const task = rows.flatMap(({ tasks }) => tasks).find((one) => one.import === importId && one.id === id);
  const { revision = 0 } = task ?? {};
  const all = { meaning: 'running', status: null, progress: null, message: null, byMapping: false, ...facts } as const;
  return {
    import: importId,
    id,
    revision,
    source,
    cause: cause ?? null,
    facts: cause === undefined ? all : null,
    ...(response !== undefined && { response }),
  };
}

/** Reports the result of a status check. Returns whether the result was stored. */
export async function reportTask(
  store: Pick<ImportStoreCalls, 'rowsAfter' | 'report'>,
  importId: number,
  id: TaskId,
  found: Found = {},
): Promise<boolean> {
  return store.report(await reportOf(store, importId, id, found));
}
