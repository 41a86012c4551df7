import path from 'node:path';
import * as vscode from 'vscode';
import { compareKnown, LOOKED_UP_AT_ONCE, memoryOf, type Standing } from '../tasks/comparing/compareFiles';
import { truePath } from '../tasks/sending/checkedSource';
import type { Files } from '../tasks/sending/files';
import type { ImportStore } from '../tasks/store/importStore';
import type { Destination, KnownFile, State } from '../tasks/store/model';
import { formatDateTime } from './platform/formatNumbers';
import { oneLine } from './platform/outsideText';
import { Redraws } from './platform/redraws';
import { decorations } from './platform/settings';
import { formatState } from './wording/states';

/** Min time between two change events: a large import changes rows many times a second. */
const PAUSE_MS = 500;
/** Max files of one change event: of more than 250, VS Code takes one of each folder. */
const MAX_FIRED = 250;
/** Larger files aren't read to find out whether only their time has changed. */
const MAX_HASHED_BYTES = 1024 * 1024;

export interface DecorationPorts {
  readonly store: Pick<ImportStore, 'known' | 'knownPaths' | 'noteTimes' | 'changesSince'>;
  readonly files: Pick<Files, 'look' | 'sha256'>;
  /** The destinations whose files are decorated, the default dataset's first. */
  destinations(): readonly Destination[];
  /** Gets errors of reading the store or files. */
  onError(error: unknown): void;
}

interface Asked {
  readonly uri: vscode.Uri;
  readonly token: vscode.CancellationToken;
  resolve(decoration: vscode.FileDecoration | undefined): void;
}

/** A file whose decoration VS Code has asked for, and its row if it has one. */
interface Shown {
  readonly uri: vscode.Uri;
  readonly row: number | undefined;
}

/**
 * Badges files by how they compare with the default dataset, or else with another dataset that has them. VS Code asks for one
 * file after another; those of one turn of the event loop are looked up together.
 */
export class Decorations implements vscode.FileDecorationProvider, vscode.Disposable {
  readonly #ports: DecorationPorts;
  readonly #changed = new vscode.EventEmitter<vscode.Uri[] | undefined>();
  readonly onDidChangeFileDecorations = this.#changed.event;
  readonly #redraws = new Redraws<string>(PAUSE_MS);
  /** By address: VS Code would read the decoration of any other file in an event, too. */
  readonly #shown = new Map<string, Shown>();
  readonly #ended = new AbortController();
  readonly #subscriptions: vscode.Disposable;
  #waiting: Asked[] = [];
  /** The version of the store that was last seen; undefined before the first file. */
  #version: number | undefined;

  constructor(ports: DecorationPorts) {
    this.#ports = ports;
    // VS Code already watches the workspace with this pattern. It may leave out files that are saved here.
    const watcher = vscode.workspace.createFileSystemWatcher('**');
    this.#subscriptions = vscode.Disposable.from(
      ...[this.#changed, this.#redraws, watcher],
      this.#redraws.event((addresses) => this.#fire(addresses)),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.#onFileChange(uri)),
      watcher.onDidChange((uri) => this.#onFileChange(uri)),
      watcher.onDidCreate((uri) => this.#onFileChange(uri)),
    );
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

  /** Rows may have changed. */
  async refresh(): Promise<void> {
    const rows = [...this.#shown.values()].flatMap(({ row }) => row ?? []);
    if (this.#version === undefined) return;
    const seen = { version: this.#version, shown: rows };
    const { version, rows: changed, deleted } = await this.#ports.store.changesSince(seen);
    this.#version = version;
    const ids = new Set([...changed.map(({ id }) => id), ...deleted]);
    const paths = new Set(changed.map((row) => row.path));
    for (const [address, { uri, row }] of this.#shown)
      if ((row !== undefined && ids.has(row)) || paths.has(uri.fsPath)) this.#redraws.rows([address]);
  }

  /** Another default dataset, or what was uploaded has been forgotten. */
  refreshAll(): void {
    this.#redraws.all();
  }

  dispose(): void {
    this.#ended.abort();
    this.#subscriptions.dispose();
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
    // Before they are looked up, so that no later change is missed.
    this.#version ??= (await this.#ports.store.changesSince({ version: 0, shown: [] })).version;
    for (const uri of uris) this.#shown.set(uri.toString(), { uri, row: this.#shown.get(uri.toString())?.row });
    let unknown = new Set(paths);
    for (const destination of this.#ports.destinations()) {
      if (unknown.size === 0) break;
      const badges = await this.#badgesAt(destination, [...unknown]);
      for (const [index, uri] of uris.entries()) {
        const badge = badges.get(paths[index] ?? '');
        if (badge === undefined || !unknown.has(paths[index] ?? '')) continue;
        this.#shown.set(uri.toString(), { uri, row: badge.file.row?.file });
        const decoration = formatDecoration(badge.file, badge.standing, destination.dataset);
        if (decoration !== undefined) found.set(uri.toString(), decoration);
      }
      unknown = new Set([...unknown].filter((one) => !badges.has(one)));
    }
    return found;
  }

  async #badgesAt(destination: Destination, paths: readonly string[]) {
    const { store, files } = this.#ports;
    const { files: known } = await store.known({ destination, paths });
    const memory = memoryOf(store, destination);
    const compared = await compareKnown({ files, memory }, known, MAX_HASHED_BYTES, this.#ended.signal);
    const badges = known.flatMap((file) => {
      const standing = compared.get(file.path)?.standing;
      return standing === undefined ? [] : [[file.path, { file, standing }] as const];
    });
    return new Map(badges);
  }

  #onFileChange(uri: vscode.Uri): void {
    const address = uri.toString();
    if (this.#shown.has(address)) this.#redraws.rows([address]);
  }

  #fire(addresses: readonly string[] | undefined): void {
    const isAll = addresses === undefined || addresses.length > MAX_FIRED;
    // VS Code asks again about the files that it shows.
    if (isAll) this.#shown.clear();
    this.#changed.fire(isAll ? undefined : addresses.map((address) => vscode.Uri.parse(address, true)));
  }
}

/** The real paths of files that aren't links, as the store has them: each folder is resolved once. */
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

/** Colors for names with problems. The colors of icons are too light for text on white. */
const ERROR = new vscode.ThemeColor('list.errorForeground');
const WARNING = new vscode.ThemeColor('list.warningForeground');

/**
 * The badge and tooltip of a file. VS Code keeps them until the file or its row changes, so they name times and no ages. Only
 * problems have a color: other names have theirs from Git.
 */
export function formatDecoration(
  { row, uploaded }: KnownFile,
  standing: Standing,
  dataset: string,
): vscode.FileDecoration | undefined {
  const time = uploaded === null ? '' : formatDateTime(uploaded.endedMs);
  switch (standing) {
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
      if (decorations() === 'changes') return undefined;
      return decoration('✓', vscode.l10n.t('Uploaded to {0} on {1}: {2}', dataset, time, formatState(stateOf(row))));
    case 'new':
    case 'moved':
    case 'copied':
      return undefined;
  }
}

/** A file whose row was removed from the list was uploaded, and no more is known. */
function stateOf(row: KnownFile['row']): State {
  return row === null || row.removed ? 'uploaded' : row.state;
}

function decoration(badge: string, tooltip: string, color?: vscode.ThemeColor): vscode.FileDecoration {
  const made = new vscode.FileDecoration(badge, oneLine(tooltip), color);
  made.propagate = false;
  return made;
}
