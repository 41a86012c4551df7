import * as vscode from 'vscode';
import { type Comparison, compareKnown, memoryOf } from '../tasks/comparing/compareFiles';
import { truePath } from '../tasks/sending/checkedSource';
import type { Files } from '../tasks/sending/files';
import type { ImportStore } from '../tasks/store/importStore';
import type { Destination, KnownFile } from '../tasks/store/model';
import { formatDateTime } from './platform/format';
import { oneLine } from './platform/outsideText';
import { decorations as decorationsSetting, onSettingChange } from './platform/settings';
import type { Services } from './services';
import { formatState } from './wording/states';

/** Min time between two change events. A large import changes rows many times per second. */
const PAUSE_MS = 500;
/** Max files in one change event. If an event names more files, VS Code updates only one of them per folder. */
const MAX_FIRED = 250;
/** Larger files aren't hashed just to find out whether only their modification times have changed. */
const MAX_HASHED_BYTES = 1024 * 1024;

export interface DecorationPorts {
  readonly store: Pick<ImportStore, 'known' | 'knownPaths' | 'noteTimes' | 'changedPaths'>;
  readonly files: Pick<Files, 'look' | 'sha256'>;
  /**
   * The destinations whose files are decorated, with the default dataset's destination first. Empty if decorations are
   * turned off or the store hasn't been read yet.
   */
  destinations(): readonly Destination[];
  /** Called if reading the store or a file fails. */
  onError(error: unknown): void;
}

/**
 * Shows badges on files that were imported to the default dataset or to another dataset. VS Code requests one file's
 * badge at a time; we batch all requests from the same turn of the event loop.
 */
export class Decorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  /**
   * The real path of each file whose badge VS Code has requested, by URI. Change events name only these files, because
   * VS Code would otherwise request the badges of other files, too.
   */
  readonly #shown = new Map<string, string>();
  readonly #ended = new AbortController();
  #waiting: { readonly uri: vscode.Uri; resolve(decoration?: vscode.FileDecoration): void }[] = [];
  /** The last store version that was read, or undefined until VS Code requests the next badge. */
  #version: number | undefined;

  /** The real paths of the files for the next change event, or undefined for all files. */
  #pending: Set<string> | undefined = new Set();
  #pause: NodeJS.Timeout | undefined;

  constructor(private readonly ports: DecorationPorts) {}

  provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> | undefined {
    const isInWorkspace = uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    if (!isInWorkspace || uri.path.includes('/.git/') || this.ports.destinations().length === 0) return undefined;
    return new Promise((resolve) => {
      if (this.#waiting.length === 0) setImmediate(() => void this.#decorateWaiting());
      this.#waiting.push({ uri, resolve });
    });
  }

  /** Updates the badges of files whose rows are new or have changed. */
  async refresh(): Promise<void> {
    if (this.ports.destinations().length === 0) return;
    // VS Code may have requested badges while there was no destination.
    if (this.#version === undefined) return this.refreshAll();
    const seen = { version: this.#version, paths: [...new Set(this.#shown.values())] };
    const { version, paths } = await this.ports.store.changedPaths(seen);
    // Versions never decrease, unless a damaged database was set aside.
    if (version < seen.version) return this.refreshAll();
    this.#version = version;
    this.#redraw(paths);
  }

  /** Updates the badges of a file that has changed on disk and of links to it, if the file itself is in `#shown`. */
  refreshFile(uri: vscode.Uri): void {
    const path = this.#shown.get(uri.toString());
    if (path !== undefined) this.#redraw([path]);
  }

  /**
   * Updates all badges. Call this after the datasets or the `decorations` setting changes, or after the user runs
   * Forget Imported Files.
   */
  refreshAll(): void {
    this.#version = undefined;
    this.#redraw(undefined);
  }

  dispose(): void {
    this.#ended.abort();
    clearTimeout(this.#pause);
    this.#changed.dispose();
  }

  async #decorateWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    const found = await this.#decorationsOf(waiting.map(({ uri }) => uri)).catch((error: unknown) => {
      if (!this.#ended.signal.aborted) this.ports.onError(error);
      return new Map<string, vscode.FileDecoration>();
    });
    for (const { uri, resolve } of waiting) resolve(found.get(uri.toString()));
  }

  async #decorationsOf(uris: readonly vscode.Uri[]): Promise<ReadonlyMap<string, vscode.FileDecoration>> {
    const { store, files } = this.ports;
    const found = new Map<string, vscode.FileDecoration>();
    const locate = async (uri: vscode.Uri) => ({ address: uri.toString(), path: await truePath(uri.fsPath) });
    let left = await Promise.all(uris.map(locate));
    // Read the version before looking up files, so that later changes aren't missed.
    this.#version ??= (await store.changedPaths({ version: 0, paths: [] })).version;
    for (const one of left) this.#shown.set(one.address, one.path);
    for (const destination of this.ports.destinations()) {
      if (left.length === 0) break;
      const memory = memoryOf(store, destination);
      const { files: known } = await memory.known({ paths: left.map((one) => one.path) });
      const compared = await compareKnown({ files, memory }, known, MAX_HASHED_BYTES, this.#ended.signal);
      for (const one of left) {
        const { known: file, comparison } = compared.get(one.path) ?? {};
        const decoration = file && comparison && formatDecoration(file, comparison, destination.dataset);
        if (decoration !== undefined) found.set(one.address, decoration);
      }
      // The comparison is 'new' if the file's import was canceled, and missing if the file is too large to hash.
      const here = new Set(known.flatMap(({ path }) => (compared.get(path)?.comparison === 'new' ? [] : path)));
      left = left.filter((one) => !here.has(one.path));
    }
    return found;
  }

  /** Fires immediately for the first change, and combines further changes until the interval is over. */
  #redraw(paths: readonly string[] | undefined): void {
    if (paths === undefined) this.#pending = undefined;
    for (const path of paths ?? []) this.#pending?.add(path);
    if (this.#pause === undefined) this.#fire();
  }

  #fire(): void {
    const paths = this.#pending;
    this.#pending = new Set();
    this.#pause = undefined;
    if (paths?.size === 0) return;
    this.#pause = setTimeout(() => this.#fire(), PAUSE_MS);
    const addresses = [...this.#shown].flatMap(([address, path]) => (paths?.has(path) ? address : []));
    const isAll = paths === undefined || addresses.length > MAX_FIRED;
    // If we fire undefined, VS Code requests the badges of all visible files again.
    if (isAll) this.#shown.clear();
    this.#changed.fire(isAll ? undefined : addresses.map((address) => vscode.Uri.parse(address, true)));
  }
}

/** Decorates files until disposed. Call `refresh` after the store has changed. */
export function decorateFiles(
  { store, files, datasets, serving }: Pick<Services, 'store' | 'files' | 'datasets' | 'serving'>,
  onError: (error: unknown) => void,
): vscode.Disposable & { refresh(): Promise<void> } {
  const destinations = () => {
    if (decorationsSetting() === 'none') return [];
    const isDefault = ({ dataset }: Destination) => dataset === datasets.default?.name;
    const current = serving.destinations.filter((one) => datasets.contractOf(one) !== undefined);
    return [...current.filter(isDefault), ...current.filter((one) => !isDefault(one))];
  };
  const decorations = new Decorations({ store, files, destinations, onError });
  // This watcher costs nothing, because VS Code already watches the workspace with this pattern. It may miss saves, so
  // we also listen for them.
  const watcher = vscode.workspace.createFileSystemWatcher('**');
  const registrations = vscode.Disposable.from(
    vscode.window.registerFileDecorationProvider(decorations),
    decorations,
    watcher,
    vscode.workspace.onDidSaveTextDocument(({ uri }) => decorations.refreshFile(uri)),
    watcher.onDidChange((uri) => decorations.refreshFile(uri)),
    watcher.onDidCreate((uri) => decorations.refreshFile(uri)),
    onSettingChange('decorations', () => decorations.refreshAll()),
    datasets.onDidChange(() => decorations.refreshAll()),
  );
  return { refresh: () => decorations.refresh(), dispose: () => registrations.dispose() };
}

/** Colors for the names of files with problems. VS Code's icon colors are too light for text on white. */
const ERROR = new vscode.ThemeColor('list.errorForeground');
const WARNING = new vscode.ThemeColor('list.warningForeground');

/**
 * Creates a file's badge and tooltip. VS Code keeps them until the file or its row changes, so they show absolute times
 * instead of ages. Only problems have a color, because Git also colors file names.
 */
function formatDecoration(file: KnownFile, comparison: Comparison, dataset: string): vscode.FileDecoration | undefined {
  const { row, uploaded } = file;
  const time = uploaded === null ? '' : formatDateTime(uploaded.endedMs);
  // Without a row, the file is new or was uploaded, and those tooltips don't show this state.
  const state = row === null ? '' : formatState(row.state);
  switch (comparison) {
    case 'importing':
      return decoration('↑', vscode.l10n.t('{0}: {1}', dataset, state));
    case 'changed':
      return uploaded === null
        ? decoration('≠', vscode.l10n.t('Changed since its import to {0}: {1}', dataset, state))
        : decoration('≠', vscode.l10n.t('Changed since it was uploaded to {0} on {1}', dataset, time));
    case 'unconfirmed':
      return decoration('?', vscode.l10n.t('{0}: {1}', dataset, state), WARNING);
    case 'failed':
      return decoration('!', vscode.l10n.t('{0}: {1}', dataset, state), ERROR);
    case 'unchanged':
      if (decorationsSetting() === 'changes') return undefined;
      // If the row was removed or shows a later import with other content, we know only about the upload.
      return row === null || row.removed || row.import !== uploaded?.import
        ? decoration('✓', vscode.l10n.t('Uploaded to {0} on {1}', dataset, time))
        : decoration('✓', vscode.l10n.t('Uploaded to {0} on {1}: {2}', dataset, time, state));
    case 'new':
    case 'moved':
    case 'copied':
      return undefined;
  }
}

function decoration(badge: string, tooltip: string, color?: vscode.ThemeColor): vscode.FileDecoration {
  const made = new vscode.FileDecoration(badge, oneLine(tooltip), color);
  made.propagate = false;
  return made;
}
