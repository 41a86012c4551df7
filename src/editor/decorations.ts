import path from 'node:path';
import * as vscode from 'vscode';
import { type Comparison, compareKnown, LOOKED_UP_AT_ONCE, memoryOf } from '../tasks/comparing/compareFiles';
import { isAt } from '../tasks/destination';
import { truePath } from '../tasks/sending/checkedSource';
import type { Files } from '../tasks/sending/files';
import type { ImportStore } from '../tasks/store/importStore';
import type { Destination, KnownFile, State } from '../tasks/store/model';
import { formatDateTime } from './platform/formatNumbers';
import { oneLine } from './platform/outsideText';
import { Redraws } from './platform/redraws';
import { decorations as decorationsSetting, onSettingChange } from './platform/settings';
import type { Services } from './services';
import { formatState } from './wording/states';

/** Min time between two change events, because a large import changes rows many times per second. */
const PAUSE_MS = 500;
/** Max files in one change event. If there are more than 250, VS Code sends only one event per folder. */
const MAX_FIRED = 250;
/** Larger files aren't hashed to find out whether only their modification time has changed. */
const MAX_HASHED_BYTES = 1024 * 1024;

export interface DecorationPorts {
  readonly store: Pick<ImportStore, 'known' | 'knownPaths' | 'noteTimes' | 'changedPaths'>;
  readonly files: Pick<Files, 'look' | 'sha256'>;
  /** The destinations whose files are decorated, the default dataset's destination first. */
  destinations(): readonly Destination[];
  /** Called with errors that occur while reading the store or files. */
  onError(error: unknown): void;
}

interface DecorationRequest {
  readonly uri: vscode.Uri;
  readonly token: vscode.CancellationToken;
  resolve(decoration: vscode.FileDecoration | undefined): void;
}

/**
 * Shows badges that compare files with the default dataset, or with another dataset that has them. VS Code requests one
 * file at a time; we answer all requests from one turn of the event loop together.
 */
export class Decorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #ports: DecorationPorts;
  readonly #changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #redraws = new Redraws<string>(PAUSE_MS);
  /**
   * The real paths of the files that VS Code has requested, by URI. Events name only these files, because VS Code would
   * request any other files, too.
   */
  readonly #shown = new Map<string, string>();
  readonly #ended = new AbortController();
  #waiting: DecorationRequest[] = [];
  /** The store version that was last read; undefined before the first file. */
  #version: number | undefined;

  constructor(ports: DecorationPorts) {
    this.#ports = ports;
    this.#redraws.event((addresses) => this.#fire(addresses));
  }

  provideFileDecoration(
    uri: vscode.Uri,
    token: vscode.CancellationToken,
  ): Promise<vscode.FileDecoration | undefined> | undefined {
    const isInWorkspace = uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (!isInWorkspace || uri.path.includes('/.git/')) return undefined;
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#decorateWaiting());
      this.#waiting.push({ uri, token, resolve });
    });
  }

  /** Updates the files whose rows are new or have changed. */
  async refresh(): Promise<void> {
    if (this.#version === undefined) return;
    const seen = { version: this.#version, paths: [...new Set(this.#shown.values())] };
    const { version, paths } = await this.#ports.store.changedPaths(seen);
    this.#version = version;
    const changed = new Set(paths);
    this.#redraws.rows([...this.#shown].flatMap(([address, at]) => (changed.has(at) ? address : [])));
  }

  /** Updates a file that has changed on disk. */
  refreshFile(uri: vscode.Uri): void {
    const address = uri.toString();
    if (this.#shown.has(address)) this.#redraws.rows([address]);
  }

  /** Updates all files. Call this after the datasets or the remembered uploads have changed. */
  refreshAll(): void {
    this.#redraws.all();
  }

  dispose(): void {
    this.#ended.abort();
    this.#redraws.dispose();
    this.#changed.dispose();
  }

  async #decorateWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let at = 0; at < waiting.length; at += LOOKED_UP_AT_ONCE) {
      const some = waiting.slice(at, at + LOOKED_UP_AT_ONCE);
      const wanted = some.filter(({ token }) => !token.isCancellationRequested && !this.#ended.signal.aborted);
      const found = await this.#decorationsOf(wanted.map(({ uri }) => uri)).catch((error: unknown) => {
        if (!this.#ended.signal.aborted) this.#ports.onError(error);
        return new Map<string, vscode.FileDecoration>();
      });
      for (const { uri, resolve } of some) resolve(found.get(uri.toString()));
    }
  }

  async #decorationsOf(uris: readonly vscode.Uri[]): Promise<ReadonlyMap<string, vscode.FileDecoration>> {
    const found = new Map<string, vscode.FileDecoration>();
    if (uris.length === 0) return found;
    const paths = await realPaths(uris);
    let left = uris.map((uri, index) => ({ address: uri.toString(), path: paths[index] ?? '' }));
    // Read the version before looking up files, so that later changes aren't missed.
    this.#version ??= (await this.#ports.store.changedPaths({ version: 0, paths: [] })).version;
    for (const one of left) this.#shown.set(one.address, one.path);
    for (const destination of this.#ports.destinations()) {
      if (left.length === 0) break;
      const badges = await this.#badgesAt(
        destination,
        left.map((one) => one.path),
      );
      for (const one of left) {
        const badge = badges.get(one.path);
        const decoration = badge && formatDecoration(badge.file, badge.comparison, destination.dataset);
        if (decoration !== undefined) found.set(one.address, decoration);
      }
      left = left.filter((one) => !badges.has(one.path));
    }
    return found;
  }

  async #badgesAt(destination: Destination, paths: readonly string[]) {
    const { store, files } = this.#ports;
    const { files: known } = await store.known({ destination, paths });
    const memory = memoryOf(store, destination);
    const compared = await compareKnown({ files, memory }, known, MAX_HASHED_BYTES, this.#ended.signal);
    const badges = known.flatMap((file) => {
      const comparison = compared.get(file.path)?.comparison;
      return comparison === undefined ? [] : [[file.path, { file, comparison }] as const];
    });
    return new Map(badges);
  }

  #fire(addresses: readonly string[] | undefined): void {
    const isAll = addresses === undefined || addresses.length > MAX_FIRED;
    // VS Code then requests the visible files again.
    if (isAll) this.#shown.clear();
    this.#changed.fire(isAll ? undefined : addresses.map((address) => vscode.Uri.parse(address, true)));
  }
}

/**
 * Decorates files unless the setting is 'none'. Waits until a task database exists, because reading would create one.
 */
export function decorateFiles(
  { store, files, datasets, serving, tasks }: Pick<Services, 'store' | 'files' | 'datasets' | 'serving' | 'tasks'>,
  onError: (error: unknown) => void,
): vscode.Disposable & { refresh(): Promise<void> } {
  let decorations: Decorations | undefined;
  let registration: vscode.Disposable | undefined;
  const destinations = () => {
    const chosen = datasets.default;
    const first = chosen === undefined ? [] : [{ dataset: chosen.name, origin: chosen.baseUrl.origin }];
    const others = serving.destinations.filter((one) => {
      const dataset = datasets.find(one.dataset);
      return dataset !== undefined && dataset !== chosen && isAt(one, dataset.baseUrl);
    });
    return [...first, ...others];
  };
  const end = () => {
    registration?.dispose();
    registration = undefined;
    decorations = undefined;
  };
  const begin = () => {
    if (registration !== undefined || decorationsSetting() === 'none' || !tasks.exists()) return;
    const made = new Decorations({ store, files, destinations, onError });
    // VS Code itself already watches the workspace with this pattern. The watcher may miss files that this window
    // saves.
    const watcher = vscode.workspace.createFileSystemWatcher('**');
    decorations = made;
    registration = vscode.Disposable.from(
      ...[vscode.window.registerFileDecorationProvider(made), made, watcher],
      vscode.workspace.onDidSaveTextDocument(({ uri }) => made.refreshFile(uri)),
      watcher.onDidChange((uri) => made.refreshFile(uri)),
      watcher.onDidCreate((uri) => made.refreshFile(uri)),
    );
  };
  begin();
  const listening = vscode.Disposable.from(
    // VS Code asks a new provider about all visible files.
    onSettingChange('decorations', () => {
      end();
      begin();
    }),
    datasets.onDidChange(() => decorations?.refreshAll()),
    datasets.onDidChangeFiles(() => decorations?.refreshAll()),
  );
  return {
    async refresh() {
      begin();
      await decorations?.refresh();
    },
    dispose() {
      end();
      listening.dispose();
    },
  };
}

/** The files' paths with links to folders resolved, as in the store. Each folder is resolved only once. */
async function realPaths(uris: readonly vscode.Uri[]): Promise<readonly string[]> {
  const folders = new Map<string, Promise<string>>();
  const realFolder = (folder: string) => {
    const known = folders.get(folder) ?? truePath(folder);
    folders.set(folder, known);
    return known;
  };
  const resolve = async ({ fsPath }: vscode.Uri) =>
    path.join(await realFolder(path.dirname(fsPath)), path.basename(fsPath));
  return Promise.all(uris.map(resolve));
}

/** Colors for names of files with problems. Icon colors are too light for text on white. */
const ERROR = new vscode.ThemeColor('list.errorForeground');
const WARNING = new vscode.ThemeColor('list.warningForeground');

/**
 * A file's badge and tooltip. VS Code keeps them until the file or its row changes, so they show times instead of ages.
 * Only problems have a color, because Git colors the names of other files.
 */
export function formatDecoration(
  { row, uploaded }: KnownFile,
  comparison: Comparison,
  dataset: string,
): vscode.FileDecoration | undefined {
  const time = uploaded === null ? '' : formatDateTime(uploaded.endedMs);
  switch (comparison) {
    case 'importing':
      return row?.state === 'sending'
        ? decoration('↑', vscode.l10n.t('Being uploaded to {0}', dataset))
        : decoration('↑', vscode.l10n.t('Waiting to be uploaded to {0}', dataset));
    case 'changed':
      return uploaded === null
        ? decoration('≠', vscode.l10n.t('Changed since its import to {0} failed', dataset))
        : decoration('≠', vscode.l10n.t('Changed since it was uploaded to {0} on {1}', dataset, time));
    case 'unconfirmed':
      return decoration('?', vscode.l10n.t('The upload to {0} is unconfirmed', dataset), WARNING);
    case 'failed':
      return row?.state === 'rejected'
        ? decoration('!', vscode.l10n.t('Rejected by {0}', dataset), ERROR)
        : decoration('!', vscode.l10n.t('Failed at {0}', dataset), ERROR);
    case 'unchanged':
      if (decorationsSetting() === 'changes') return undefined;
      return decoration('✓', vscode.l10n.t('Uploaded to {0} on {1}: {2}', dataset, time, formatState(stateOf(row))));
    case 'new':
    case 'moved':
    case 'copied':
      return undefined;
  }
}

/** Without a row in the list, all we know is that the file was uploaded. */
function stateOf(row: KnownFile['row']): State {
  return row === null || row.removed ? 'uploaded' : row.state;
}

function decoration(badge: string, tooltip: string, color?: vscode.ThemeColor): vscode.FileDecoration {
  const made = new vscode.FileDecoration(badge, oneLine(tooltip), color);
  made.propagate = false;
  return made;
}
