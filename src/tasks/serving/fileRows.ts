import path from 'node:path';
import type { Destination } from '../destination';
import { batchIdsAround, batchOfRow, outermost } from '../folderBatch';
import type { KnownFile } from '../history/filesAt';
import { partsOfList, WRITTEN_AT_ONCE } from '../history/walk';
import type { CheckedSource } from '../sending/checkedSource';
import type { Sources } from '../sending/sources';
import { begunAgain, type TaskChange } from '../store/taskChange';
import type { TaskList } from '../store/taskList';
import type { KeyedUpdate } from '../store/unsavedUpdates';
import type { Clock } from '../timing/clock';
import {
  type Batch,
  hasEnded,
  type NewTask,
  newTask,
  type Phase,
  phaseKindOf,
  type Source,
  type TrackedTask,
} from '../trackedTask';

export interface FileRowsDeps {
  readonly list: TaskList;
  readonly sources: Pick<Sources, 'withTexts'>;
  readonly clock: Clock;
}

/** What was queued in one commit. */
export interface Begun {
  /** The files that were to be. */
  readonly files: readonly CheckedSource[];
  /** Their imports. Files that were skipped as already being imported have none. */
  readonly tasks: readonly TrackedTask[];
}

/** What the user's review knew about each file at the destination, undefined for an unknown file. */
export type Reviewed = ReadonlyMap<CheckedSource, KnownFile | undefined>;

/** Files of the first step: few, so that the first of them can be sent at once. The others are as many as a commit takes. */
const FIRST_STEP = 100;

/** The rows of files: whatever was tried before, a file is imported in the row that it has at a destination. */
export class FileRows {
  readonly #deps: FileRowsDeps;
  readonly #begunIn: string;

  /** `begunIn` is the id of the window. */
  constructor(deps: FileRowsDeps, begunIn: string) {
    this.#deps = deps;
    this.#begunIn = begunIn;
  }

  /**
   * Queues files in steps, each file in its row and new files in new rows. What a step returns is stored, even if a later
   * step fails. Files that are being imported, or that got another import since the review, are skipped. Without
   * `reviewed`, only the former are. @throws StoreError
   */
  async *begin(
    checked: readonly CheckedSource[],
    destination: Destination,
    batch: Batch | undefined,
    reviewed?: Reviewed,
  ): AsyncGenerator<Begun> {
    const createdMs = this.#deps.clock.now();
    const batchOf = this.#batchesOf(destination, batch);
    const first = checked.slice(0, FIRST_STEP);
    for (const files of [first, ...partsOfList(checked.slice(FIRST_STEP), WRITTEN_AT_ONCE)])
      yield* this.#beginSome(files, destination, createdMs, batchOf, reviewed);
  }

  /** Those in a row of their own first. */
  async *#beginSome(
    files: readonly CheckedSource[],
    destination: Destination,
    createdMs: number,
    batchOf: (source: Source) => Promise<Batch | undefined>,
    reviewed: Reviewed | undefined,
  ): AsyncGenerator<Begun> {
    const { list, sources } = this.#deps;
    const begun = { ...destination, createdMs, begunIn: this.#begunIn, phase: { kind: 'queued' } } as const;
    const rows = await rowsOfFiles(list, files, destination);
    const fresh: CheckedSource[] = [];
    const tasks: NewTask[] = [];
    const old: CheckedSource[] = [];
    const again: KeyedUpdate[] = [];
    for (const one of files) {
      const { source } = one;
      const row = source.from === 'disk' ? rows.get(source.path) : undefined;
      const batch = await batchOf(source);
      if (row === undefined) {
        fresh.push(one);
        tasks.push(newTask({ ...begun, source, batch }));
      } else {
        const update = (task: TrackedTask) =>
          reviewed === undefined || isImportOf(task, reviewed.get(one))
            ? this.again(task, createdMs, { source, batch: batchOfRow(task.batch, batch) })
            : undefined;
        old.push(one);
        again.push([row.key, update]);
      }
    }
    const newest = reviewed && fresh.map((one) => newestImportMs(reviewed.get(one)));
    if (fresh.length > 0) yield { files: fresh, tasks: await sources.withTexts(fresh, () => list.add(tasks, newest)) };
    if (old.length > 0) yield { files: old, tasks: await list.beginAgain(again) };
  }

  /** What begins to import a file again in its row, with all that is begun at that time; undefined while it is being imported. */
  again(task: TrackedTask, createdMs: number, change: TaskChange): TaskChange | undefined {
    return hasEnded(task.phase) ? { ...begunAgain(task, this.#begunIn, createdMs), ...change } : undefined;
  }

  /** Finds the batch of a file: that of the outermost imported folder that holds it, or else the one that is begun. */
  #batchesOf(destination: Destination, begun: Batch | undefined): (source: Source) => Promise<Batch | undefined> {
    const known = new Map<string, Promise<Batch | undefined>>();
    const around = async (folder: string) =>
      outermost(await this.#deps.list.history.batches(batchIdsAround(destination, folder))) ?? begun;
    return async ({ from, path: file }) => {
      const folder = begun?.folder ?? (from === 'disk' ? path.dirname(file) : undefined);
      if (folder === undefined) return begun;
      const found = known.get(folder) ?? around(folder);
      known.set(folder, found);
      return found;
    };
  }
}

/** Whether a row still has the import that a review saw, and that import hasn't got another outcome since. */
function isImportOf(task: TrackedTask, known: KnownFile | undefined): boolean {
  return known?.row !== undefined && isSameImport(task, { ...known.row, kind: phaseKindOf(known.row.state) });
}

/** Whether a row still has the import that was seen, with the same outcome. */
export function isSameImport(
  { createdMs, phase }: TrackedTask,
  seen: { readonly createdMs: number; readonly kind: Phase['kind'] },
): boolean {
  return createdMs === seen.createdMs && phase.kind === seen.kind;
}

/** When the newest import that a review saw of a file was started; 0 for none. */
function newestImportMs(known: KnownFile | undefined): number {
  return Math.max(known?.row?.createdMs ?? 0, known?.content?.createdMs ?? 0);
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
