import { type Destination, isSameDestination } from '../destination';
import { isWithin } from '../folderBatch';
import { partsOfList } from '../history/walk';
import type { AcceptedContent } from '../rows/acceptedContents';
import type { CheckedSource } from '../sending/checkedSource';
import { isGone } from '../sending/fileOperations';
import type { TaskList } from '../store/taskList';
import type { KeyedUpdate } from '../store/unsavedUpdates';
import { type Batch, hasEnded, type Source, type TrackedTask } from '../trackedTask';
import { rowsOfFiles } from './fileRows';

/** A row of a file on disk. */
type FileRow = TrackedTask & { readonly source: Source };

/**
 * Moves the rows of files that were moved: they have the content of a file that is no longer where it was, as `known` has it.
 * Of several such files, the one of the same name counts. A row whose file left the folder of its batch joins the one that is
 * begun, where that is a folder's, else none. Returns the moved rows, by their new paths. @throws StoreError
 */
export async function moveRows(
  list: TaskList,
  earlier: ReadonlyMap<CheckedSource, AcceptedContent>,
  known: readonly AcceptedContent[],
  destination: Destination,
  begun: Batch | undefined,
): Promise<ReadonlyMap<string, TrackedTask>> {
  const found = [...earlier].filter(([{ source }]) => source.from === 'disk');
  const rows = await rowsOfFiles(
    list,
    found.map(([one]) => one),
    destination,
  );
  const wanted = found.filter(([{ source }]) => !rows.has(source.path));
  if (wanted.length === 0) return new Map();
  const contents = new Set(wanted.flatMap(([, { source }]) => source.sha256 ?? []));
  const gone = await goneRows(list, known, contents, destination);
  const updates: KeyedUpdate[] = [];
  const moved = new Map<string, TrackedTask>();
  const take = (isMeant: (source: Source, row: FileRow) => boolean) => {
    for (const [{ source }, content] of wanted) {
      const candidates = gone.get(content.source.sha256 ?? '') ?? [];
      const row = moved.has(source.path) ? undefined : candidates.find((one) => isMeant(source, one));
      if (row === undefined) continue;
      moved.set(source.path, row);
      candidates.splice(candidates.indexOf(row), 1);
      updates.push([row.key, movedTo(source, row, begun)]);
    }
  };
  take((source, row) => row.source.name === source.name);
  take(() => true);
  const done = new Set<number>();
  for (const some of partsOfList(updates)) for (const key of await list.updateAll(some)) done.add(key);
  return new Map([...moved].filter(([, { key }]) => done.has(key)));
}

/** The rows of files that had one of these contents and are no longer there, by content. */
async function goneRows(
  list: TaskList,
  known: readonly AcceptedContent[],
  contents: ReadonlySet<string>,
  destination: Destination,
): Promise<ReadonlyMap<string, FileRow[]>> {
  const keys = known.flatMap(({ key, source }) => (contents.has(source.sha256 ?? '') ? [key] : []));
  const rows = (await list.findAll([...new Set(keys)])).filter(
    (row): row is FileRow => row.source?.from === 'disk' && hasEnded(row.phase) && isSameDestination(row, destination),
  );
  const gone: FileRow[] = [];
  for (const some of partsOfList(rows)) {
    const areGone = await Promise.all(some.map(({ source }) => isGone(source.path)));
    gone.push(...some.filter((_, index) => areGone[index]));
  }
  return Map.groupBy(gone, ({ source }) => source.sha256 ?? '');
}

function movedTo({ path, name, relativePath }: Source, before: FileRow, begun: Batch | undefined): KeyedUpdate[1] {
  return ({ phase, source, batch }) => {
    if (!hasEnded(phase) || source?.path !== before.source.path) return undefined;
    const stays = batch?.folder === undefined || isWithin(path, batch.folder);
    const joined = begun?.folder !== undefined && isWithin(path, begun.folder) ? begun : undefined;
    return { source: { ...source, path, name, relativePath }, batch: stays ? batch : joined };
  };
}
