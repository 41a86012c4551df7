import path from 'node:path';
import {
  type CancellationToken,
  Disposable,
  EventEmitter,
  type FileDecoration,
  type FileDecorationProvider,
  Uri,
  workspace,
} from 'vscode';
import { badgesOf } from '../../tasks/comparing/taskListMemory';
import { StoreError } from '../../tasks/database/storeError';
import { type Destination, destinationKey, isSameDestination } from '../../tasks/destination';
import { partsOfList } from '../../tasks/history/walk';
import { truePath } from '../../tasks/sending/checkedSource';
import type { ListChange } from '../../tasks/store/taskList';
import { listen } from '../platform/listen';
import { Redraws } from '../platform/redraws';
import { decorations } from '../platform/settings';
import type { Services } from '../services/services';
import { formatDecoration } from './formatDecoration';

/** Min time between two events: a large import changes the list many times a second. */
const PAUSE_MS = 500;

/** Max files that are looked up in one go. */
const LOOKED_UP_AT_ONCE = 500;

/** Max files of one event: of more than 250, VS Code takes one of each folder. */
const MAX_FIRED = 250;

interface Asked {
  readonly uri: Uri;
  readonly token: CancellationToken;
  resolve(decoration: FileDecoration | undefined): void;
}

export type DecoratingServices = Pick<Services, 'datasets' | 'list' | 'contents' | 'sources' | 'messages'>;

/**
 * Decorates the files on disk of the workspace by how they stand at its default dataset, the sandbox never. VS Code asks file
 * by file for those that it shows; what it asks in one turn is looked up together. A link to a file is not followed, as that
 * would take a system call for each file.
 */
export class FileDecorations implements FileDecorationProvider, Disposable {
  readonly #services: DecoratingServices;
  readonly #changed = new EventEmitter<Uri[] | undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #redraws = new Redraws<string>(PAUSE_MS);
  readonly #asked = new AskedFiles();
  readonly #ended = new AbortController();
  readonly #subscriptions: Disposable;
  #waiting: Asked[] = [];
  /** At which files were looked up last. */
  #destination: Destination | undefined;

  constructor(services: DecoratingServices) {
    this.#services = services;
    // With a plain pattern VS Code watches nothing besides what it watches anyway, which may leave out what is saved here.
    const watcher = workspace.createFileSystemWatcher('**');
    this.#subscriptions = Disposable.from(
      ...[this.#changed, this.#redraws, watcher],
      this.#redraws.event((addresses) => this.#fire(addresses)),
      listen(services.list.events, 'change', (change) => this.#onListChange(change)),
      services.datasets.onDidChange(() => this.#onDatasetsChange()),
      services.datasets.onDidChangeFiles(() => this.#redraws.all()),
      workspace.onDidSaveTextDocument(({ uri }) => this.#onFileChange(uri)),
      watcher.onDidChange((uri) => this.#onFileChange(uri)),
      watcher.onDidCreate((uri) => this.#onFileChange(uri)),
    );
  }

  provideFileDecoration(uri: Uri, token: CancellationToken): Promise<FileDecoration | undefined> | undefined {
    const isOfWorkspace = uri.scheme === 'file' && workspace.getWorkspaceFolder(uri) !== undefined;
    if (!isOfWorkspace || uri.path.includes('/.git/')) return undefined;
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#decorateAll());
      this.#waiting.push({ uri, token, resolve });
    });
  }

  dispose(): void {
    this.#ended.abort();
    this.#subscriptions.dispose();
  }

  async #decorateAll(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#destination = this.#readDestination();
    for (const some of partsOfList(waiting, LOOKED_UP_AT_ONCE)) {
      const wanted = some.filter(({ token }) => !token.isCancellationRequested && !this.#ended.signal.aborted);
      const found = await this.#decorationsOf(wanted).catch((error: unknown) => {
        // Where the task database cannot be read, the view says so.
        if (!(error instanceof StoreError) && !this.#ended.signal.aborted)
          this.#services.messages.note(`decorations: ${error}`);
        return new Map<Asked, FileDecoration>();
      });
      for (const asked of some) asked.resolve(found.get(asked));
    }
  }

  /** Where the files of the workspace are imported; a sandbox is only for trying out. Not for each file: it reads the disk. */
  #readDestination(): Destination | undefined {
    const { datasets } = this.#services;
    const dataset = datasets.default;
    if (dataset === undefined || datasets.isSandbox(dataset)) return undefined;
    return { dataset: dataset.name, origin: dataset.baseUrl.origin };
  }

  async #decorationsOf(asked: readonly Asked[]): Promise<ReadonlyMap<Asked, FileDecoration>> {
    const found = new Map<Asked, FileDecoration>();
    const destination = this.#destination;
    if (destination === undefined || asked.length === 0) return found;
    const paths = await realPaths(asked.map(({ uri }) => uri));
    // Noted before they are looked up, so that no change after that is missed.
    for (const [index, { uri }] of asked.entries()) this.#asked.note(uri.toString(), paths[index] ?? '');
    const wanted = [...new Set(paths)];
    const badges = await badgesOf(this.#services, wanted, destination, this.#ended.signal, (known) => {
      for (const { path, row } of known) if (row !== undefined) this.#asked.noteTask(row.key, path);
    });
    const which = decorations();
    for (const [index, one] of asked.entries()) {
      const badge = badges.get(paths[index] ?? '');
      if (badge === undefined || (which === 'changes' && badge.kind === 'unchanged')) continue;
      found.set(one, formatDecoration(badge, destination.dataset));
    }
    return found;
  }

  /** A key or a contract that changes is no other destination. */
  #onDatasetsChange(): void {
    const [before, now] = [this.#destination, this.#readDestination()];
    this.#destination = now;
    if ((before && destinationKey(before)) !== (now && destinationKey(now))) this.#redraws.all();
  }

  #onListChange(change: ListChange): void {
    const destination = this.#destination;
    if (destination === undefined) return;
    const addresses: string[] = [];
    for (const key of change.kind === 'list' ? change.removed : []) addresses.push(...this.#asked.ofTask(key));
    for (const task of change.kind === 'list' ? change.added : change.tasks) {
      if (!isSameDestination(task, destination)) continue;
      addresses.push(...this.#asked.at(task.source?.path ?? ''), ...this.#asked.ofTask(task.key));
    }
    this.#redraws.rows(addresses);
  }

  #onFileChange(uri: Uri): void {
    const address = uri.toString();
    if (this.#asked.has(address)) this.#redraws.rows([address]);
  }

  #fire(addresses: readonly string[] | undefined): void {
    const isAll = addresses === undefined || addresses.length > MAX_FIRED;
    if (isAll) this.#asked.clear();
    this.#changed.fire(isAll ? undefined : addresses.map((address) => Uri.parse(address, true)));
  }
}

/** The real paths of files that are no links, by which the task database knows them: each folder is resolved once. */
async function realPaths(uris: readonly Uri[]): Promise<readonly string[]> {
  const folders = new Map<string, Promise<string>>();
  const realFolder = (folder: string) => {
    const known = folders.get(folder) ?? truePath(folder);
    folders.set(folder, known);
    return known;
  };
  return Promise.all(
    uris.map(async ({ fsPath }) => path.join(await realFolder(path.dirname(fsPath)), path.basename(fsPath))),
  );
}

/**
 * The files whose decorations VS Code has read, by their addresses, their real paths and the keys of their tasks. Only their
 * changes are of interest: after an event VS Code would read the decoration of any other file too.
 */
class AskedFiles {
  readonly #addresses = new Set<string>();
  readonly #byPath = new Map<string, Set<string>>();
  readonly #paths = new Map<number, string>();

  /** Notes an address, and the real path of its file: a file in a linked folder has several addresses. */
  note(address: string, path: string): void {
    this.#addresses.add(address);
    const addresses = this.#byPath.get(path) ?? new Set();
    this.#byPath.set(path, addresses.add(address));
  }

  /** Notes the task of a file: one that is removed, or that moves, is known by its key alone. */
  noteTask(key: number, path: string): void {
    this.#paths.set(key, path);
  }

  has(address: string): boolean {
    return this.#addresses.has(address);
  }

  /** The addresses of the file with this path. */
  at(path: string): Iterable<string> {
    return this.#byPath.get(path) ?? [];
  }

  /** The addresses of the file that a task was of. */
  ofTask(key: number): Iterable<string> {
    return this.at(this.#paths.get(key) ?? '');
  }

  /** Forgets all: VS Code asks again about those that it shows. */
  clear(): void {
    this.#addresses.clear();
    this.#byPath.clear();
    this.#paths.clear();
  }
}
