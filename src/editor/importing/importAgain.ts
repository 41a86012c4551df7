import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { SourceError } from '../../service/errors';
import { compareFiles, memoryOf } from '../../tasks/comparing/compareFiles';
import { rowsIn } from '../../tasks/rowsIn';
import { realPathOf } from '../../tasks/sending/fileOperations';
import type { FileRow, Known, NewImport, State } from '../../tasks/store/model';
import { inSlices } from '../../tasks/timing/inSlices';
import { mapWithConcurrency } from '../../tasks/timing/mapWithConcurrency';
import { datasetNamed } from '../datasets/findDataset';
import { commandTitle, UserError } from '../platform/actions';
import { formatCount } from '../platform/format';
import { unsavedFiles } from '../platform/settings';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import { RETRIED } from '../wording/nextSteps';
import { capitalized, formatState } from '../wording/states';
import type { ImportServices } from './candidate';
import { startRuns } from './enqueue';
import { workspaceUris } from './filePaths';
import { importFiles } from './importFiles';
import { confirmUnsaved } from './unsavedFiles';

/**
 * Imports files again, reusing their rows. Asks for confirmation if any of them are unconfirmed, unchanged, still being
 * processed or no longer tracked. Returns false if the user cancels.
 */
export async function importAgain(services: ImportServices, rows: readonly FileRow[]): Promise<boolean> {
  const risks = await withDelayedProgress(l10n.t('Checking files'), (signal) => risksOf(services, rows, signal));
  const [first] = rows;
  if (risks === undefined || first === undefined) return false;
  const detail = [...risks, l10n.t('Importing again may create duplicates. If possible, check the dataset first.')];
  const question =
    rows.length === 1
      ? l10n.t("Import '{0}' again?", first.name)
      : l10n.t('Import {0} files again?', formatCount(rows.length));
  if (risks.length > 0 && !(await services.confirm(question, detail.join('\n'), commandTitle('importAgain'))))
    return false;
  const paths = rows.flatMap(({ path: at }) => at ?? []);
  if (!(await confirmUnsaved(paths, unsavedFiles()))) return false;
  await importRows(services, rows);
  return true;
}

/**
 * Imports files again, reusing their rows, with one run per dataset. Skips files that have been imported since their
 * rows were read.
 */
export async function importRows(services: ImportServices, rows: readonly FileRow[]): Promise<void> {
  const errors: unknown[] = [];
  // A dataset that can't be used shouldn't stop imports to the others.
  for (const [name, some] of Map.groupBy(rows, ({ dataset }) => dataset))
    await importRowsTo(services, name, some).catch((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

async function importRowsTo(services: ImportServices, name: string, rows: readonly FileRow[]): Promise<void> {
  const dataset = datasetNamed(services, name);
  const { origin, host } = dataset.baseUrl;
  const moved = rows.filter((one) => one.origin !== origin);
  const wanted = (await confirmMoved(services, name, host, moved)) ? rows : rows.filter((one) => one.origin === origin);
  // A copy of a text is deleted once the service accepts the text.
  const isLost = ({ path: at, textFile }: FileRow) =>
    at === null && textFile !== null && !existsSync(path.join(services.textsFolder, textFile));
  const missing = wanted.find(isLost);
  if (missing !== undefined) throw noLongerStored(missing.name);
  // A file that isn't on disk has to be read again through VS Code, and the new origin may know the content already. A
  // link that has replaced the file may point outside the workspace, or to another file that is imported as well.
  const isNew = async ({ path: at, origin: from }: FileRow) =>
    from !== origin || (at !== null && (!path.isAbsolute(at) || ((await realPathOf(at)) ?? at) !== at));
  const areNew = await mapWithConcurrency(wanted, 8, isNew);
  const [known, others] = [wanted.filter((_, index) => !areNew[index]), wanted.filter((_, index) => areNew[index])];
  for (const some of Map.groupBy(known, (one) => one.batch === null).values()) {
    const [own = null, ...more] = new Set(some.map((one) => one.batch));
    // Without a batch, there would be no message when the tasks of multiple files end.
    const shared = own ?? { label: l10n.t('{0} files', formatCount(some.length)), folder: null };
    const batch = some.length > 1 && more.length === 0 ? shared : null;
    const destination = { dataset: name, origin };
    await startRuns(services, [{ destination, batch, skipped: {}, files: some.map(newImport) }]);
  }
  if (others.length > 0) await importFiles(services, await chosenAgain(services, dataset, others));
}

/** Sends queued files to their dataset's new origin. If the user cancels, they stay queued for the old one. */
export async function importMoved(services: ImportServices, rows: readonly FileRow[]): Promise<void> {
  const dataset = rows[0] && datasetNamed(services, rows[0].dataset);
  if (!dataset || !(await confirmMoved(services, dataset.name, dataset.baseUrl.host, rows))) return;
  const { store } = services;
  // In the meantime, another window may have started to upload some of the files.
  const wanted = await rowsIn(store, { files: rows.map(({ id }) => id) }, ['queued']);
  const queued = await importFiles(services, await chosenAgain(services, dataset, wanted));
  const destination = (await store.destinations(null)).find(({ id }) => id === queued?.destination);
  if (queued === undefined || destination === undefined) return;
  const known = await store.known({ destination, paths: wanted.flatMap(({ path: at }) => at ?? []) });
  const imports = new Set(queued.imports);
  const sent = new Set(known.files.flatMap(({ path: at, row }) => (row && imports.has(row.import) ? at : [])));
  const isSent = ({ path: at }: FileRow) => (at === null ? queued.imports.length === wanted.length : sent.has(at));
  await store.remove({ files: wanted.filter(isSent).map(({ id }) => id), states: ['queued'] });
}

async function chosenAgain({ store, textsFolder }: ImportServices, dataset: Dataset, rows: readonly FileRow[]) {
  const uriOf = await workspaceUris();
  // A new origin needs a batch of each folder, because Import Changes… looks for new files only in folders with a batch.
  const moved = rows.filter(({ origin }) => origin !== dataset.baseUrl.origin);
  const batches = await store.batches([...new Set(moved.map(({ batch }) => batch))]);
  const folders = new Map(batches.map(({ id, folder: at }) => [id, at ? { uri: uriOf(at), path: at } : undefined]));
  const files = rows.flatMap((row) => (row.path === null ? [] : [{ ...row, uri: uriOf(row.path) }]));
  const texts = rows.flatMap(({ name, textFile, path: at }) =>
    at === null && textFile !== null ? [{ name, file: path.join(textsFolder, textFile) }] : [],
  );
  return {
    dataset,
    uris: files.map(({ uri }) => uri),
    folders: new Map(files.map(({ uri, batch }) => [uri.toString(), folders.get(batch ?? 0)])),
    names: new Map(files.map(({ uri, name, relativePath }) => [uri.toString(), { name, relativePath }])),
    texts: await Promise.all(texts.map(async ({ name, file }) => ({ name, bytes: await readFile(file) }))),
  };
}

export function noLongerStored(name: string): UserError {
  return new UserError(l10n.t("The text of '{0}' is no longer stored. Select it again to import it.", name));
}

function newImport({ id, path: at, name, relativePath, textFile, import: last }: FileRow): NewImport {
  // Keep the hash of a text, so that the user is asked before the same text is imported a second time.
  const content = { sizeBytes: last.sizeBytes, modifiedMs: null, sha256: at === null ? last.sha256 : null };
  return { path: at, name, relativePath, textFile, ...content, seen: last.id, row: id };
}

/** The latest upload of the same content. `endedMs` is null while it is queued or being sent. */
type Upload = { readonly [Key in 'sha256' | 'endedMs']: Known['contents'][number][Key] | null };

/** A file in one of these states may have been uploaded unchanged, now or by an earlier import. */
const COMPARED: readonly State[] = ['succeeded', 'uploaded', ...RETRIED];

/** Reasons not to import these files again, each with the number of files it applies to. */
async function risksOf(services: ImportServices, rows: readonly FileRow[], signal: AbortSignal): Promise<string[]> {
  const isIn = (states: readonly State[]) => rows.filter(({ state }) => states.includes(state)).length;
  const counts: [string, number][] = [
    [capitalized(formatState('unconfirmed')), isIn(['unconfirmed'])],
    [l10n.t('Still being processed'), isIn(['waiting', 'running', 'unknown', 'noId'])],
    [capitalized(formatState('untracked')), isIn(['untracked'])],
    [l10n.t('Unchanged'), (await knownUploads(services, rows, signal)).size],
  ];
  return counts.filter(([, count]) => count > 0).map(([label, count]) => l10n.t('{0}: {1}', label, formatCount(count)));
}

/** Finds the rows whose content the service may already have, and the upload of that content. */
export async function knownUploads(
  { store, files }: Pick<ImportServices, 'store' | 'files'>,
  rows: readonly FileRow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<FileRow, Upload>> {
  const done = rows.filter(({ state }) => COMPARED.includes(state));
  const found = new Map<FileRow, Upload>();
  for (const some of Map.groupBy(done, ({ destination }) => destination).values())
    for await (const part of inSlices(some, 500)) {
      const [{ dataset = '', origin = '' } = {}] = part;
      const memory = memoryOf(store, { dataset, origin });
      const onDisk = part.flatMap(({ path: at, relativePath }) =>
        at !== null && path.isAbsolute(at) ? [{ path: at, relativePath, realPath: at }] : [],
      );
      const checked = (await files.check(onDisk)).flatMap((one) => (one instanceof SourceError ? [] : one));
      const compared = await compareFiles({ files, memory }, checked, signal);
      const byPath = new Map([...compared].map(([{ source }, one]) => [source.path, one]));
      const texts = part.filter((row) => row.path === null);
      const contents = texts.flatMap(({ import: { sizeBytes, sha256 } }) => (sha256 ? [{ sizeBytes, sha256 }] : []));
      const known = await memory.known({ paths: [], contents });
      const bySha256 = new Map(known.contents.map((one) => [one.sha256, one]));
      for (const row of part) {
        const file = byPath.get(row.path ?? '');
        const isThere = file?.comparison === 'unchanged' || file?.comparison === 'unconfirmed';
        const own = isThere ? file.known?.uploaded : undefined;
        const upload = row.path === null ? bySha256.get(row.import.sha256 ?? '') : (file?.elsewhere ?? own);
        if (upload) found.set(row, upload);
      }
    }
  return found;
}

/** Asks whether to send the files to the dataset's new origin. */
async function confirmMoved({ confirm }: ImportServices, dataset: string, host: string, moved: readonly FileRow[]) {
  const [first] = moved;
  if (first === undefined) return true;
  const question = l10n.t("Dataset '{0}' moved to {1}. Send the files there?", dataset, host);
  const count = l10n.t('Files: {0}', formatCount(moved.length));
  const detail = [count, l10n.t('The import was started for {0}.', new URL(first.origin).host)].join('\n');
  return confirm(question, detail, l10n.t('Send to {0}', host));
}
