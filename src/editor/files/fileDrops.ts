import {
  type CancellationToken,
  type DataTransfer,
  type DataTransferFile,
  type TreeDragAndDropController,
  Uri,
} from 'vscode';
import type { Messages } from '../platform/messages';
import type { TasksNode } from '../tree/tasksTree';
import { formatNoRoom, formatTooLarge, type UnsavedText } from './checkFiles';

/** What was dropped: files and folders, or the content of files whose place is not told, as a browser does. */
export interface Dropped {
  readonly uris: readonly Uri[];
  readonly texts: readonly UnsavedText[];
  /** What was too large to be kept, each in a sentence that names the file. */
  readonly bad: readonly string[];
}

/** What may be taken into memory of a drop. */
export interface DropLimits {
  /** The size above which no file is imported. */
  readonly maxBytes: number;
  /** How much all may have together. */
  readonly roomBytes: number;
}

const URI_LIST = 'text/uri-list';

/** Takes files that are dropped on a view. */
export class FileDrops implements TreeDragAndDropController<TasksNode> {
  readonly dropMimeTypes = [URI_LIST, 'files'];
  readonly dragMimeTypes = [];
  readonly #take: (dropped: Dropped) => Promise<void>;
  readonly #limits: () => DropLimits;
  readonly #messages: Messages;

  constructor(take: (dropped: Dropped) => Promise<void>, limits: () => DropLimits, messages: Messages) {
    this.#take = take;
    this.#limits = limits;
    this.#messages = messages;
  }

  async handleDrop(_target: TasksNode | undefined, data: DataTransfer, token: CancellationToken): Promise<void> {
    const tell = (error: unknown) => void this.#messages.error(error);
    // A browser gives a dropped folder as a file that cannot be read.
    const dropped = await readDrop(data, this.#limits(), token).catch(tell);
    if (!dropped || token.isCancellationRequested) return;
    // The drop has ended by then; what comes of it is told by itself.
    this.#take(dropped).catch(tell);
  }
}

async function readDrop(data: DataTransfer, limits: DropLimits, token: CancellationToken): Promise<Dropped> {
  const list = (await data.get(URI_LIST)?.asString()) ?? '';
  const uris = list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => Uri.parse(line, true));
  const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
  const placeless = uris.length > 0 ? [] : files.filter(({ uri }) => uri === undefined);
  return {
    uris: uris.length > 0 ? uris : files.flatMap(({ uri }) => uri ?? []),
    ...(await readOneByOne(placeless, limits, token)),
  };
}

/**
 * A browser tells no size and gives a file as a whole, for as long as the drop lasts. So they are read one after the
 * other: besides what is kept, no more than one is in memory.
 */
async function readOneByOne(
  files: readonly DataTransferFile[],
  { maxBytes, roomBytes }: DropLimits,
  token: CancellationToken,
): Promise<Pick<Dropped, 'texts' | 'bad'>> {
  const texts: UnsavedText[] = [];
  const bad: string[] = [];
  let leftBytes = roomBytes;
  for (const file of files) {
    if (token.isCancellationRequested) break;
    // Whatever comes after what has no room is not read to find that it has none either.
    const bytes = leftBytes < 0 ? undefined : await file.data();
    if (bytes !== undefined && bytes.byteLength > maxBytes) {
      bad.push(formatTooLarge(file.name, bytes.byteLength, maxBytes));
      continue;
    }
    leftBytes -= bytes?.byteLength ?? 0;
    if (bytes === undefined || leftBytes < 0) bad.push(formatNoRoom(file.name));
    else texts.push({ name: file.name, bytes });
  }
  return { texts, bad };
}
