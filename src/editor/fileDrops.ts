import { type CancellationToken, type DataTransfer, type TreeDragAndDropController, Uri } from 'vscode';
import type { LooseText } from './lookAtFiles';
import type { Messages } from './messages';
import type { TasksNode } from './tasksTree';

/** What was dropped: files and folders, or the content of files whose place is not told, as a browser does. */
export interface Dropped {
  readonly uris: readonly Uri[];
  readonly texts: readonly LooseText[];
}

const URI_LIST = 'text/uri-list';

/** Takes files that are dropped on a view. */
export class FileDrops implements TreeDragAndDropController<TasksNode> {
  readonly dropMimeTypes = [URI_LIST, 'files'];
  readonly dragMimeTypes = [];
  readonly #take: (dropped: Dropped) => Promise<void>;
  readonly #messages: Messages;

  constructor(take: (dropped: Dropped) => Promise<void>, messages: Messages) {
    this.#take = take;
    this.#messages = messages;
  }

  async handleDrop(_target: TasksNode | undefined, data: DataTransfer, token: CancellationToken): Promise<void> {
    const tell = (error: unknown) => void this.#messages.error(error);
    // A browser gives a dropped folder as a file that cannot be read.
    const dropped = await readDrop(data).catch(tell);
    if (!dropped || token.isCancellationRequested) return;
    // The drop has ended by then; what comes of it is told by itself.
    this.#take(dropped).catch(tell);
  }
}

async function readDrop(data: DataTransfer): Promise<Dropped> {
  const list = (await data.get(URI_LIST)?.asString()) ?? '';
  const uris = list
    .split(/\r?\n/)
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => Uri.parse(line, true));
  const files = [...data].flatMap(([, item]) => item.asFile() ?? []);
  const placeless = uris.length > 0 ? [] : files.filter(({ uri }) => uri === undefined);
  return {
    uris: uris.length > 0 ? uris : files.flatMap(({ uri }) => uri ?? []),
    texts: await Promise.all(placeless.map(async (file) => ({ name: file.name, bytes: await file.data() }))),
  };
}
