import * as vscode from 'vscode';
import { parseJson, stringifyJson } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import type { ImportStore } from '../../tasks/store/importStore';
import type { Details, FileRow, ImportRow, Meaning, StoredEvent } from '../../tasks/store/model';
import { commandTitle } from '../platform/actions';
import { GeneratedDocuments } from '../platform/documents';
import { formatDateTime, formatPercent, formatSize } from '../platform/format';
import { documentPath, oneLine, visibleText } from '../platform/outsideText';
import { formatCause } from '../wording/causes';
import { nextSteps } from '../wording/nextSteps';
import { capitalized, formatMeaning, formatOutcome, type RowContext, rowLabel, rowSentences } from '../wording/states';

/** Read-only documents that show row details. The URI's query is the row ID. Open documents are kept up to date. */
export class DetailsDocuments implements vscode.Disposable {
  readonly #documents: GeneratedDocuments;
  readonly #stepsChanged = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable;

  constructor(
    private readonly store: Pick<ImportStore, 'details'>,
    private readonly contextOf: (row: FileRow) => RowContext,
    scheme: GeneratedDocuments['scheme'] = 'dataset-import-task',
  ) {
    this.#documents = new GeneratedDocuments(scheme, (uri) => this.#text(uri));
    const onDidChangeCodeLenses = this.#stepsChanged.event;
    const provideDocumentLinks = async (document: vscode.TextDocument) => {
      const details = await this.#read(fileOf(document));
      return details === undefined ? [] : positionLinks(document.getText(), details.row);
    };
    const provideCodeLenses = (document: vscode.TextDocument) => this.#lenses(document);
    this.#subscriptions = vscode.Disposable.from(
      this.#documents,
      this.#stepsChanged,
      vscode.languages.registerDocumentLinkProvider({ scheme }, { provideDocumentLinks }),
      vscode.languages.registerCodeLensProvider({ scheme }, { onDidChangeCodeLenses, provideCodeLenses }),
    );
  }

  /** Opens a row's details without taking focus. */
  async show(file: number): Promise<void> {
    const details = await this.store.details(file);
    if (details === null) return;
    // package.json assigns a language to documents in this folder.
    const path = documentPath(vscode.l10n.t('{0} (details)', rowLabel(details.row)), '/task-details/');
    await this.#documents.show(path, { query: String(file), preserveFocus: true });
  }

  /** The IDs of the rows whose details are open. */
  get shown(): number[] {
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === this.#documents.scheme);
    return [...new Set(documents.map(fileOf))];
  }

  /** Updates the open documents of these rows, or all open documents. */
  refresh(files?: ReadonlySet<number>): void {
    this.#documents.refresh(({ query }) => files === undefined || files.has(Number(query)));
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** Returns undefined if the row is no longer listed. */
  async #read(file: number): Promise<Details | undefined> {
    const details = await this.store.details(file);
    return details === null || details.row.removed ? undefined : details;
  }

  async #text({ query }: vscode.Uri): Promise<string> {
    const details = await this.#read(Number(query));
    this.#stepsChanged.fire();
    if (details === undefined) return `${vscode.l10n.t('This task is no longer in the list.')}\n`;
    return formatDetails(details, this.contextOf(details.row));
  }

  /** Shows the next steps as code lenses on the first empty line, below the state and the reason. */
  async #lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const details = await this.#read(fileOf(document));
    if (details === undefined) return [];
    const { row } = details;
    const line = document.getText().split('\n').indexOf('');
    return nextSteps(row, this.contextOf(row).why).map((step) => {
      const command = { command: `datasetImport.${step}`, title: commandTitle(step), arguments: [{ file: row.id }] };
      return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
    });
  }
}

function fileOf({ uri }: vscode.TextDocument): number {
  return Number(uri.query);
}

/**
 * Formats the details: state and reason, timeline, tasks, file and responses. Everything is indented except the name, the
 * state and the section titles. Syntax highlighting (media/details.tmLanguage.json) and folding rely on that.
 */
export function formatDetails(details: Details, context: RowContext): string {
  const { row, responses } = details;
  const sections = [
    [rowLabel(row), ...rowSentences(row, context)].map(oneLine),
    section(vscode.l10n.t('Timeline'), alignedLines(timelineOf(details))),
    section(vscode.l10n.t('Task'), alignedLines(taskLines(row))),
    section(vscode.l10n.t('File'), alignedLines(fileLines(row))),
    section(vscode.l10n.t('Response to the Import'), responseLines(responses.import)),
    section(vscode.l10n.t('Response to the Status Check'), responseLines(responses.query)),
  ];
  const shown = sections.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

/** A title with indented lines, or nothing if there are no lines. */
function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function alignedLines(lines: readonly Line[]): string[] {
  const width = Math.max(...lines.map(([label]) => columnsOf(label)));
  return lines.map(([label, text]) => `${label}${' '.repeat(width - columnsOf(label))}  ${oneLine(text)}`);
}

/** The width of text in an editor. Chinese characters take up two columns. */
function columnsOf(text: string): number {
  return text.length + (text.match(/[\p{Script=Han}，。：；（）]/gu)?.length ?? 0);
}

function taskLines({ dataset, origin, tasks }: FileRow): Line[] {
  return [
    [vscode.l10n.t('Dataset'), vscode.l10n.t('{0} ({1})', dataset, origin)],
    ...tasks.flatMap(({ id, meaning, status, progress, message }) => [
      ...line(vscode.l10n.t('Task ID'), taskIdText(id)),
      // `meaning` is null until the task's status is checked for the first time.
      ...line(vscode.l10n.t('Status'), formatStatus(meaning ?? 'none', status)),
      ...line(vscode.l10n.t('Progress'), progress === null ? null : formatPercent(progress)),
      ...line(vscode.l10n.t('Message'), message),
    ]),
  ];
}

function line(label: string, text: string | null): Line[] {
  return text === null ? [] : [[label, text]];
}

function fileLines({ path, import: newest }: FileRow): Line[] {
  return [
    ...line(vscode.l10n.t('Path'), path),
    ...(newest.run === null ? [] : line(vscode.l10n.t('Size'), formatSize(newest.sizeBytes))),
  ];
}

function responseLines(response: string | undefined): readonly string[] {
  return response === undefined ? [] : visibleText(indented(response)).split('\n');
}

/** Long responses are truncated when they are stored, so they aren't valid JSON. */
function indented(response: string): string {
  try {
    return stringifyJson(parseJson(response), 2);
  } catch {
    return response;
  }
}

/** A label or time, followed by text. */
type Line = readonly [label: string, text: string];

/** Everything that happened to a row, oldest first: imports, tasks and renames. */
function timelineOf({ row, imports, events }: Details): Line[] {
  const entries = [
    ...imports.toReversed().flatMap((one, index) => importEntries(one, index > 0, events)),
    ...events.map(({ atMs, event }) => ({ atMs, text: formatEvent(event, imports) })),
    ...row.tasks.flatMap(({ meaning, cause, endedMs, checkedMs }) => [
      ...(cause === null ? [] : entryAt(checkedMs, vscode.l10n.t('Status check failed: {0}', formatCause(cause)))),
      ...(meaning === 'untracked' ? entryAt(endedMs, capitalized(formatMeaning(meaning))) : []),
    ]),
  ];
  // The sort is stable, so an import's entries with the same time keep their order and come before events.
  return entries.sort((one, other) => one.atMs - other.atMs).map(({ atMs, text }) => [formatDateTime(atMs), text]);
}

function entryAt(atMs: number | null, text: string) {
  return atMs === null ? [] : [{ atMs, text }];
}

function importEntries(one: ImportRow, isAgain: boolean, events: Details['events']) {
  // The task was created elsewhere, so nothing was uploaded.
  if (one.run === null) return [{ atMs: one.queuedMs, text: vscode.l10n.t('The task was added by its ID.') }];
  return [
    { atMs: one.queuedMs, text: isAgain ? vscode.l10n.t('Queued again.') : vscode.l10n.t('Queued.') },
    ...entryAt(one.beganMs, vscode.l10n.t('The upload started.')),
    ...entryAt(one.endedMs, formatEnded(one, events)),
  ];
}

function formatEnded(one: ImportRow, events: Details['events']): string {
  const { outcome, cause, sentBytes, sizeBytes } = one;
  // If the import was later marked as uploaded or given a task ID, its stored outcome is no longer the original one.
  const [changed] = events.flatMap(({ event }) =>
    (event.kind === 'marked' || event.kind === 'attached') && event.import === one.id ? [event] : [],
  );
  if (changed?.kind === 'marked' || changed?.before === 'unconfirmed') return capitalized(formatOutcome('unconfirmed'));
  if (changed !== undefined) return vscode.l10n.t('The upload ended without a recognized task ID.');
  const isPart = sentBytes < sizeBytes;
  const isEarly = isPart && outcome === 'accepted';
  // A window that closes doesn't record how much it has sent.
  const isKnownPart = isPart && outcome === 'unconfirmed' && cause?.name !== 'WindowClosed';
  const notes = [
    ...(cause === null ? [] : [formatCause(cause, one)]),
    ...(isEarly ? [vscode.l10n.t('The service responded before the whole file was sent.')] : []),
    ...(isKnownPart ? [vscode.l10n.t('Sent: {0} of {1}.', formatSize(sentBytes), formatSize(sizeBytes))] : []),
  ];
  return [capitalized(formatOutcome(outcome)), ...notes].join(' · ');
}

function formatEvent(event: StoredEvent, imports: readonly ImportRow[]): string {
  switch (event.kind) {
    case 'putBack':
      return vscode.l10n.t('Put back into the queue: {0}', formatCause(event.answer));
    case 'lateResponse': {
      const outcome = imports.find(({ id }) => id === event.import)?.outcome ?? 'unconfirmed';
      return vscode.l10n.t('The response arrived late: {0}', formatOutcome(outcome));
    }
    case 'status':
      return vscode.l10n.t('Status check: {0}', formatStatus(event.meaning, event.status));
    case 'attached':
      return vscode.l10n.t('Task ID attached: {0}', event.ids.map(taskIdText).join(', '));
    case 'marked':
      return capitalized(vscode.l10n.t('marked as uploaded'));
    case 'renamed':
      return vscode.l10n.t("Renamed. The file was called '{0}'.", event.from);
  }
}

/** Shows what a status means, followed by the service's own value. */
function formatStatus(meaning: Meaning, status: string | null): string {
  const words = formatMeaning(meaning);
  return status === null ? words : vscode.l10n.t("{0} ('{1}')", words, status);
}

/** A number of at most nine digits that isn't part of a longer number. */
const NUMBER = '\\d{1,9}(?!\\w|[.,]\\d|…)';
const MARKS = `(?:[ _]?(?:number|no\\b\\.?))?["']? ?[:=]? ?#?`;
/** Positions in service messages: "line 88", "Line: 88, column 5", "row 7", "line":88, "第 88 行，第 5 列". */
const POSITION = new RegExp(
  [
    `(?<![\\w-])line${MARKS}(?<line>\\d{1,9})(?::|,? ?["']?col(?:umn)?\\b\\.?["']? ?[:=]? ?)(?<column>${NUMBER})`,
    `(?<![\\w-])(?:line|row)${MARKS}(?<alone>${NUMBER})`,
    '第 ?(?<chinese>\\d{1,9}) ?行(?:[，,]? ?第 ?(?<chineseColumn>\\d{1,9}) ?列)?',
  ].join('|'),
  'gi',
);

/**
 * Finds line and column numbers in the reason why a file failed or was rejected, and turns them into links to that
 * file. Links contain only the numbers, never other text from the service.
 */
export function positionLinks(text: string, { id, path, state }: FileRow): vscode.DocumentLink[] {
  if (path === null || (state !== 'failed' && state !== 'rejected')) return [];
  const lines = text.split('\n');
  return lines.slice(0, lines.indexOf('')).flatMap((words, index) => {
    const named = index === 0 ? [] : [...words.matchAll(POSITION)];
    return named.map(({ 0: match, index: start, groups = {} }) => {
      const line = Number(groups['line'] ?? groups['alone'] ?? groups['chinese']);
      const column = Number(groups['column'] ?? groups['chineseColumn'] ?? 1);
      const target = encodeURIComponent(JSON.stringify([{ file: id, line, column }]));
      const range = new vscode.Range(index, start, index, start + match.length);
      const link = new vscode.DocumentLink(range, vscode.Uri.parse(`command:datasetImport.openSourceFile?${target}`));
      link.tooltip = vscode.l10n.t('Open File at Line {0}, Column {1}', line, column);
      return link;
    });
  });
}
