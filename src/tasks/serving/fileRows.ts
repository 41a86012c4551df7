import path from 'node:path';
import type { Destination } from '../destination';
import { batchIdsAround, batchOfRow, outermost } from '../folderBatch';
import { partsOfList } from '../history/walk';
import type { CheckedSource } from '../sending/checkedSource';
import type { Sources } from '../sending/sources';
import { begunAgain, type TaskChange } from '../store/taskChange';
import type { TaskList } from '../store/taskList';
import type { KeyedUpdate } from '../store/unsavedUpdates';
import type { Clock } from '../timing/clock';
import { inSlices } from '../timing/inSlices';
import { type Batch, hasEnded, type NewTask, newTask, type Source, type TrackedTask } from '../trackedTask';

export interface FileRowsDeps {
  readonly list: TaskList;
  readonly sources: Pick<Sources, 'withTexts'>;
  readonly clock: Clock;
}

/** What begins to be imported. */
export interface Begun {
  readonly tasks: readonly TrackedTask[];
  /** How many files are being imported already. */
  readonly inProgress: number;
}

/** The rows of files: whatever was tried before, a file is imported in the row that it has at a destination. */
export class FileRows {
  readonly #deps: FileRowsDeps;
  readonly #begunIn: string;

  /** `begunIn` is the id of the window. */
  constructor(deps: FileRowsDeps, begunIn: string) {
    this.#deps = deps;
    this.#begunIn = begunIn;
  }

  /** Queues files, each in its row, new ones in a row of their own: first those, all or none. @throws StoreError */
  async begin(checked: readonly CheckedSource[], destination: Destination, batch: Batch | undefined): Promise<Begun> {
    const { list, sources, clock } = this.#deps;
    const [rows, batches] = [
      await rowsOfFiles(list, checked, destination),
      await this.#batchesOf(checked, destination, batch),
    ];
    const rowOf = ({ from, path: file }: Source) => (from === 'disk' ? rows.get(file)?.key : undefined);
    const batchOf = ({ path: file }: Source) => batches.get(path.dirname(file)) ?? batches.get('') ?? batch;
    const createdMs = clock.now();
    const begun = {
      ...destination,
      createdMs,
      begunIn: this.#begunIn,
      phase: { kind: 'queued' },
    } as const;
    const fresh: CheckedSource[] = [];
    const tasks: NewTask[] = [];
    const again: KeyedUpdate[] = [];
    for await (const some of inSlices(checked)) {
      for (const one of some) {
        const { source } = one;
        const [key, itsBatch] = [rowOf(source), batchOf(source)];
        const update = (task: TrackedTask) =>
          this.again(task, createdMs, { source, batch: batchOfRow(task.batch, itsBatch) });
        if (key !== undefined) again.push([key, update]);
        else {
          fresh.push(one);
          tasks.push(newTask({ ...begun, source, batch: itsBatch }));
        }
      }
    }
    const added = await sources.withTexts(fresh, () => list.add(tasks));
    const healed = again.length === 0 ? [] : await list.beginAgain(again);
    return { tasks: [...added, ...healed], inProgress: checked.length - added.length - healed.length };
  }

  /** What begins to import a file again in its row, with all that is begun at that time; undefined while it is being imported. */
  again(task: TrackedTask, createdMs: number, change: TaskChange): TaskChange | undefined {
    return hasEnded(task.phase) ? { ...begunAgain(task, this.#begunIn, createdMs), ...change } : undefined;
  }

  /** The batches of the outermost imported folders that hold these files, by folder; of a whole folder by an empty text. */
  async #batchesOf(
    checked: readonly CheckedSource[],
    destination: Destination,
    batch: Batch | undefined,
  ): Promise<ReadonlyMap<string, Batch>> {
    const found = new Map<string, Batch>();
    const files = checked.flatMap(({ source }) => (source.from === 'disk' ? [path.dirname(source.path)] : []));
    const folders =
      batch?.folder === undefined ? [...new Set(files)].map((folder) => [folder, folder]) : [['', batch.folder]];
    for (const [name = '', folder = ''] of folders) {
      const around = outermost(await this.#deps.list.history.batches(batchIdsAround(destination, folder)));
      if (around !== undefined) found.set(name, around);
    }
    return found;
  }
}

/** The rows that files have at a destination, by path. */
export async function rowsOfFiles(
  { history }: Pick<TaskList, 'history'>,
  checked: readonly CheckedSource[],
  destination: Destination,
): Promise<ReadonlyMap<string, TrackedTask>> {
  const paths = checked.flatMap(({ source }) => (source.from === 'disk' ? [source.path] : []));
  const rows = new Map<string, TrackedTask>();
  for (const some of partsOfList(paths)) {
    for (const task of await history.ofFiles(destination, some)) rows.set(task.source?.path ?? '', task);
  }
  return rows;
}
