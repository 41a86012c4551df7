import {
  type CancellationToken,
  type DataTransfer,
  type DataTransferFile,
  type TreeDragAndDropController,
  Uri,
} from 'vscode';
import type { Messages } from '../platform/messages';
import { URI_LIST } from '../start/views';
import { formatNoMemory, formatTooLarge, type UnsavedText } from './checkFiles';

/** Dropped files and folders, or in a browser the contents of files, whose paths are unknown. */
export interface Dropped {
  readonly uris: readonly Uri[];
  readonly texts: readonly UnsavedText[];
  /** Why other files were not read, each in a sentence that names the file. */
  readonly bad: readonly string[];
}

export interface DropLimits {
  /** Max size of a file. */
  readonly maxBytes: number;
  /** Max total size of the files that are read into memory. */
  readonly roomBytes: number;
}

/** What takes drops on a view. */
export type FileDrops<Row> = Required<Pick<TreeDragAndDropController<Row>, 'handleDrop'>>;

/** `importDropped` gets the row on which something was dropped; none where it was beside the rows. */
export function fileDrops<Row>(
  importDropped: (dropped: Dropped, row: Row | undefined) => Promise<void>,
  limits: () => DropLimits,
  messages: Messages,
): FileDrops<Row> {
  const showError = (error: unknown) => void messages.error(error);
  return {
    async handleDrop(row, data, token) {
      // Fails for a folder that is dropped in a browser: it comes as an unreadable file.
      const dropped = await readDrop(data, limits(), token).catch(showError);
      if (!dropped || token.isCancellationRequested) return;
      // Not awaited, since VS Code shows the drop as running until this returns.
      importDropped(dropped, row).catch(showError);
    },
  };
}

async function readDrop(data: DataTransfer, limits: DropLimits, token: CancellationToken): Promise<Dropped> {
  const list = (await data.get(URI_LIST)?.asString()) ?? '';
  const uris = list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => Uri.parse(line, true));
  const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
  if (uris.length > 0) return { uris, texts: [], bad: [] };
  const withoutPath = files.filter(({ uri }) => uri === undefined);
  return { uris: files.flatMap(({ uri }) => uri ?? []), ...(await readSequentially(withoutPath, limits, token)) };
}

/**
 * A browser reports no sizes and provides a file only as a whole and during the drop. The files are read one after the
 * other, so that at most one beyond the limits is in memory.
 */
async function readSequentially(
  files: readonly DataTransferFile[],
  { maxBytes, roomBytes }: DropLimits,
  token: CancellationToken,
): Promise<Pick<Dropped, 'texts' | 'bad'>> {
  const texts: UnsavedText[] = [];
  const bad: string[] = [];
  let leftBytes = roomBytes;
  for (const file of files) {
    if (token.isCancellationRequested) break;
    // Once the limit is exceeded, no further file is read.
    const bytes = leftBytes < 0 ? undefined : await file.data();
    if (bytes !== undefined && bytes.byteLength > maxBytes) {
      bad.push(formatTooLarge(file.name, bytes.byteLength, maxBytes));
      continue;
    }
    leftBytes -= bytes?.byteLength ?? 0;
    if (bytes === undefined || leftBytes < 0) bad.push(formatNoMemory(file.name));
    else texts.push({ name: file.name, bytes });
  }
  return { texts, bad };
}
