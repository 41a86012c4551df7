import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TaskId, typedTaskId } from '../../src/service/json/taskId';
import { type ImportStore, openImportStore } from '../../src/tasks/store/importStore';
import type { Cause, FileRow, NewImport, QueueRequest, State } from '../../src/tasks/store/model';
import {
  accepted,
  type Found,
  fileOf,
  rejected,
  reportTask,
  requestOf,
  unconfirmed,
} from '../unit/tasks/store/storeRequests';

const PROGRAM = path.join(__dirname, '../../src/tasks/store/importStoreProgram.js');

/** The ID of the window that {@link OwnImportStore} uses. */
const WINDOW = 'W';

/** A task store for tests. It runs in a worker and has its own database file. */
export class OwnImportStore {
  readonly store: ImportStore;
  readonly folder = mkdtempSync(path.join(tmpdir(), 'di-rows-'));
  #count = 0;

  constructor() {
    const window = { id: WINDOW, machine: 'here', pid: process.pid };
    const setup = { path: path.join(this.folder, 'imports.sqlite'), window };
    this.store = openImportStore(setup, { program: PROGRAM, onSetAside: () => assert.fail('set aside') });
  }

  /** Queues files by name, and returns their import IDs. Multiple files become a batch. */
  async queue(names: readonly string[], { file = {}, ...facts }: QueueFacts = {}): Promise<readonly number[]> {
    const files = names.map((name) =>
      fileOf(path.basename(name), { path: `/notes/${name}`, relativePath: name, ...file }),
    );
    const { imports } = await this.store.queue(requestOf(`run ${++this.#count}`, files, facts));
    return imports.map((id) => id ?? assert.fail('not queued'));
  }

  /** Marks an import as being sent, and returns the ID of the attempt. */
  async begin(id: number): Promise<string> {
    const attempt = `${WINDOW} ${id} ${++this.#count}`;
    assert.deepEqual(await this.store.begin([{ import: id, attempt }]), [attempt]);
    return attempt;
  }

  /** Marks an import as accepted, with these task IDs. */
  async accept(id: number, ...ids: readonly string[]): Promise<readonly TaskId[]> {
    const attempt = await this.begin(id);
    const taskIds = ids.map((one) => typedTaskId(one, 'string'));
    await this.store.end({ ...accepted(attempt), taskIds });
    return taskIds;
  }

  async reject(id: number, code = '42', cause: Cause = envelope(code)): Promise<void> {
    await this.store.end(rejected(await this.begin(id), code, { cause }));
  }

  async loseConnection(id: number, cause: Cause = RESET): Promise<void> {
    await this.store.end(unconfirmed(await this.begin(id), { cause }));
  }

  async report(id: number, taskId: TaskId, found: Found): Promise<void> {
    assert.ok(await reportTask(this.store, id, taskId, found), 'not stored');
  }

  /** Imports a new file whose row ends up in this state, and returns the import ID. */
  async inState(state: State, name = `${state}.txt`): Promise<number> {
    const [id = 0] = await this.queue([name]);
    const task = async (facts?: Found) => {
      const [taskId] = await this.accept(id, `task of ${name}`);
      if (taskId !== undefined && facts !== undefined) await this.report(id, taskId, facts);
    };
    switch (state) {
      case 'queued':
        break;
      case 'sending':
        await this.begin(id);
        break;
      case 'rejected':
        await this.reject(id);
        break;
      case 'notUploaded': {
        const cause = { name: 'SourceError', reason: 'missing', fileName: name };
        await this.store.end({ ...unconfirmed(await this.begin(id), { cause }), outcome: 'notUploaded', sentBytes: 0 });
        break;
      }
      case 'unconfirmed':
      case 'uploaded':
        await this.loseConnection(id);
        break;
      case 'noId':
        await this.accept(id);
        break;
      case 'waiting':
      case 'untracked':
        await task();
        break;
      case 'running':
        await task({ meaning: 'running', status: 'INDEXING', progress: 0.4 });
        break;
      case 'unknown':
        await task({ meaning: 'unknown', status: 'STAGE_2' });
        break;
      case 'succeeded':
        await task({ meaning: 'succeeded', status: 'DONE' });
        break;
      case 'failed':
        await task({ meaning: 'failed', status: 'FAILED', message: 'Line 3 has no title.' });
        break;
    }
    const { id: file } = await this.row(name);
    if (state === 'uploaded') await this.store.markUploaded({ files: [file] });
    if (state === 'untracked') await this.store.stopTracking({ files: [file] });
    return id;
  }

  /** All rows, in the order in which they were added. */
  rows(): Promise<readonly FileRow[]> {
    return this.store.rowsAfter({ filter: {}, after: 0, limit: 10_000 });
  }

  /** A file's row, by file name. */
  async row(name: string): Promise<FileRow> {
    return (await this.rows()).find((one) => one.name === name) ?? assert.fail(`no row ${name}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    rmSync(this.folder, { recursive: true });
  }
}

type QueueFacts = Partial<Omit<QueueRequest, 'files' | 'run'>> & { readonly file?: Partial<NewImport> };

export const RESET: Cause = { name: 'ConnectionLostError', reason: 'reset', host: 'import.example' };

export function envelope(code: string, message: string | null = 'No such dataset'): Cause {
  return { name: 'Rejected', by: 'envelope', status: 200, code, message };
}
