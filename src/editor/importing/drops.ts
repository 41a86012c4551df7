import { type CancellationToken, type DataTransfer, type TreeDragAndDropController, Uri } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { maxFileBytes } from '../platform/settings';
import type { Chosen, ChosenText, ImportServices } from './candidate';
import { formatNoMemory, formatTooLarge, MAX_READ_BYTES } from './compare';
import { chosenDocuments } from './editors';
import { importFiles } from './importFiles';

/** Creates a view's drop controller. Files dropped on a row are imported to that row's dataset. */
export function dropsOf<Row>(
  services: ImportServices,
  datasetOf: (row: Row) => Dataset | undefined,
): Required<Pick<TreeDragAndDropController<Row>, 'handleDrop'>> {
  const showError = (error: unknown) => void services.messages.error(error);
  const importDropped = async (row: Row | undefined, dropped: Chosen) => {
    const dataset = row === undefined ? undefined : datasetOf(row);
    const chosen = await chosenDocuments(services.picks, { ...dropped, ...(dataset && { dataset }) });
    if (chosen !== undefined) await importFiles(services, chosen);
  };
  return {
    async handleDrop(row, data, token) {
      const limits = { maxBytes: maxFileBytes(), roomBytes: MAX_READ_BYTES };
      // In a browser, a dropped folder arrives as an unreadable file.
      const dropped = await readDrop(data, limits, token).catch(showError);
      if (!dropped || token.isCancellationRequested) return;
      // Don't await the import: VS Code shows the drop as running until this handler returns.
      importDropped(row, dropped).catch(showError);
    },
  };
}

/**
 * Reads the paths of dropped files and folders. In a browser, paths aren't available, so it reads the files' contents.
 * `maxBytes` is the max size of one file, and `roomBytes` the max total size of the files to read into memory.
 */
export async function readDrop(
  data: DataTransfer,
  { maxBytes, roomBytes }: { readonly maxBytes: number; readonly roomBytes: number },
  token: CancellationToken,
): Promise<Chosen | undefined> {
  const list = (await data.get('text/uri-list')?.asString()) ?? '';
  const uris = list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => Uri.parse(line, true));
  if (uris.length > 0) return { uris };
  const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
  if (files.length === 0) return undefined;
  const texts: ChosenText[] = [];
  const unread: string[] = [];
  let leftBytes = roomBytes;
  // Browsers don't report file sizes. They provide only whole files, and only during the drop. We read the files one at
  // a time, so that at most one file over the limit is in memory.
  for (const file of files.filter(({ uri }) => uri === undefined)) {
    if (token.isCancellationRequested) break;
    // Once the limit is exceeded, don't read any more files.
    const bytes = leftBytes < 0 ? undefined : await file.data();
    if (bytes !== undefined && bytes.byteLength > maxBytes) {
      unread.push(formatTooLarge(file.name, bytes.byteLength, maxBytes));
      continue;
    }
    leftBytes -= bytes?.byteLength ?? 0;
    if (bytes === undefined || leftBytes < 0) unread.push(formatNoMemory(file.name));
    else texts.push({ name: file.name, bytes });
  }
  return { uris: files.flatMap(({ uri }) => uri ?? []), texts, unread };
}
