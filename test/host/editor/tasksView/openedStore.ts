import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { End, FileRow, NewImport, QueueRequest } from '../../../../src/tasks/store/model';
import { fileOf, reportTask, requestOf } from '../../../unit/tasks/store/storeRequests';
import { OwnImportStore } from '../../ownImportStore';

/** How an import ends. Use undefined to leave the import queued. */
export type Ending = Partial<Omit<End, 'attempt' | 'taskIds'>> & { readonly taskIds?: readonly string[] };

/** A store for tests that decide how each import ends. */
export class OpenedStore extends OwnImportStore {
  #runs = 0;

  /** Queues files together, ends their imports as specified, and returns the files' rows. */
  async import(
    files: Readonly<Record<string, Ending | undefined>>,
    { facts = {}, ...request }: Partial<QueueRequest> & { readonly facts?: Partial<NewImport> } = {},
  ): Promise<FileRow[]> {
    const run = `run ${++this.#runs}`;
    const names = Object.keys(files);
    const known = await this.rows();
    const sources = names.map((name) => {
      const path = `/notes/${name}`;
      const seen = known.find((row) => row.path === path || row.id === facts.row)?.import.id ?? null;
      return fileOf(basename(name), { path, relativePath: `notes/${name}`, seen, ...facts });
    });
    const { imports } = await this.store.queue(requestOf(run, sources, request));
    for (const [index, name] of names.entries()) {
      const [ending, id] = [files[name], imports[index]];
      if (ending !== undefined && id) await this.#end(id, ending);
    }
    return (await this.rows()).filter(({ import: { id } }) => imports.includes(id)).sort((a, b) => a.id - b.id);
  }

  /** Reports the result of a status check for a row's task. */
  async reportRow(
    row: FileRow,
    meaning: 'running' | 'unknown' | 'succeeded' | 'failed',
    status: string,
    message?: string,
  ) {
    const [task] = row.tasks;
    assert.ok(task, 'no task');
    const response = JSON.stringify({ code: '0', data: { status } });
    await reportTask(this.store, row.import.id, task.id, { meaning, status, message: message ?? null, response });
  }

  async #end(id: number, ending: Ending): Promise<void> {
    const attempt = await this.begin(id);
    const taskIds = (ending.taskIds ?? []).map((text) => typedTaskId(text, 'string'));
    const { outcome = 'accepted', sentBytes = 12 } = ending;
    await this.store.end({ brake: 0, ...ending, outcome, sentBytes, attempt, taskIds });
  }
}

/** The current test's store. Set by {@link beforeEachOpenedStore}. */
export let opened: OpenedStore;

/** Opens a store before each test, and closes it afterward. */
export function beforeEachOpenedStore(): void {
  beforeEach(() => {
    opened = new OpenedStore();
  });
  afterEach(() => opened[Symbol.asyncDispose]());
}

export const uploaded = (...taskIds: string[]): Ending => ({
  outcome: 'accepted',
  taskIds,
  response: JSON.stringify({ code: '0', data: { taskId: taskIds[0] } }),
});

export function rejected(message: string, code = '42'): Ending {
  const cause = { name: 'Rejected', by: 'envelope', status: 200, code, message };
  return { outcome: 'rejected', cause, response: JSON.stringify({ code, message }) };
}

export const unconfirmed: Ending = {
  outcome: 'unconfirmed',
  cause: { name: 'ConnectionLostError', reason: 'reset', host: 'import.example', detail: '' },
  sentBytes: 5,
};
