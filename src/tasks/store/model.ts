// The store's types. They are plain data that can be sent between threads; null means "none" or "unknown", as in SQL.
import type { TaskId } from '../../service/json/taskId';

/** The states that need the user's attention. */
export const PROBLEMS = ['failed', 'rejected', 'unconfirmed', 'notUploaded', 'noId', 'unknown'] as const;
const OTHERS = ['sending', 'queued', 'running', 'waiting', 'untracked', 'uploaded', 'succeeded'] as const;
/** The states of a row. A state's index is its rank in the list, so problems come first. */
export const STATES = [...PROBLEMS, ...OTHERS] as const;
export type State = (typeof STATES)[number];
/** The states of tasks that haven't ended. */
export const TRACKED: readonly State[] = ['waiting', 'running', 'unknown'];

/** Every import ends with one of these outcomes. */
export type EndOutcome = 'accepted' | 'rejected' | 'notUploaded' | 'unconfirmed';
export type ImportOutcome = 'queued' | 'sending' | EndOutcome;

/**
 * `none` means that the service has reported no status yet, and `untracked` means that the user stopped tracking the
 * task.
 */
export type Meaning = 'none' | 'running' | 'unknown' | 'succeeded' | 'failed' | 'untracked';

/**
 * Why an import or a check failed, as the plain fields of an error. The editor turns them into a message. The store
 * itself writes the names `CanceledError`, `WindowClosed`, `RepeatedId`, `Superseded` and `Marked`. The field
 * `rejected` marks a check that the service rejected, so checking again won't help. `forgotten` marks one that it
 * rejected because it no longer recognizes the task.
 */
export interface Cause {
  readonly name: string;
  readonly reason?: string;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string | null;
  readonly [field: string]: unknown;
}

/** The code in the service's envelope or, if there is no envelope, the HTTP status. */
export function rejectionCode(cause: Cause | null | undefined): string | number | undefined {
  return cause?.code ?? cause?.status;
}

/** A dataset and the origin of its base URL. */
export interface Destination {
  readonly dataset: string;
  readonly origin: string;
}

/** Returns a destination's key for use in maps. Two destinations have the same key only if they are equal. */
export function destinationKey({ dataset, origin }: Destination): string {
  return JSON.stringify([dataset, origin]);
}

/** Whether a destination has the same origin as this URL. */
export function isAt({ origin }: Destination, baseUrl: URL): boolean {
  return origin === baseUrl.origin;
}

/** Why a destination is paused. `untilMs` is null if only the user can resume it. */
export interface Pause {
  readonly reason: string;
  readonly untilMs: number | null;
  readonly cause?: Cause | null;
}

// Imports

/** A file's content at the time it was read. */
export interface Content {
  readonly sizeBytes: number;
  readonly modifiedMs: number | null;
  readonly sha256: string | null;
}

/** A file or text to import. */
export interface QueuedSource extends Content {
  /** The real path, or null for text that didn't come from a file on disk. */
  readonly path: string | null;
  readonly name: string;
  readonly relativePath: string;
  /** The name of our own file that holds the text. */
  readonly textFile: string | null;
}

/** A file to be queued. */
export interface NewImport extends QueuedSource {
  /** The row's latest import when the user decided to import the file, or null if there was no row. */
  readonly seen: number | null;
  /** The row to import again, if any. Text that isn't in a file needs this, because its row can't be found by path. */
  readonly row?: number;
}

export interface QueueRequest {
  readonly destination: Destination;
  /** Identifies one user action. Repeating a request with the same run doesn't add anything. */
  readonly run: string;
  /**
   * Null for a single file, or the ID of an existing batch to continue. In a new batch of files that were chosen one by
   * one, `folder` is null.
   */
  readonly batch: { readonly label: string; readonly folder: string | null } | number | null;
  /** How many files were skipped, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** The reason under which the store counts files that it skips because they are already being imported. */
  readonly importingReason?: string;
  readonly files: readonly NewImport[];
}

export interface Queued {
  readonly destination: number;
  readonly batch: number | null;
  /**
   * The ID of each file's import, or null if the row is already being imported or has a newer import than the user saw.
   */
  readonly imports: readonly (number | null)[];
}

/** An import that can be sent next. */
export interface NextImport extends QueuedSource {
  readonly import: number;
  readonly file: number;
  /** Whether the file was queued on its own. Such files get an extra upload slot. */
  readonly single: boolean;
}

/**
 * A request to mark an import as sending. The name of an attempt consists of its window's ID, a space and a unique
 * string.
 */
export interface Begin {
  readonly import: number;
  readonly attempt: string;
  /** The content to send, or undefined if it's unchanged since the import was queued. */
  readonly content?: Content;
}

export interface End {
  readonly attempt: string;
  readonly outcome: EndOutcome;
  readonly cause?: Cause;
  /** The file-task response, with the key masked. */
  readonly response?: string;
  readonly taskIds?: readonly TaskId[];
  /** The content that the request contained, if a request was made. */
  readonly content?: Content;
  readonly sentBytes: number;
  /** How many consecutive unconfirmed imports the gate has counted, including this one. */
  readonly brake: number;
}

/**
 * The stored result of an attempt. The outcome may differ from the one passed to `end`, for example if another file has
 * the same task ID.
 */
export type Ended = Pick<ImportRow, 'outcome' | 'cause'>;

export interface PutBack {
  readonly attempt: string;
  /** Whether this counts as a try. Imports with fewer tries go first. */
  readonly tried: boolean;
  /** The service's response, if it called for another try, for example HTTP 408 or 403. */
  readonly answer?: Cause;
}

/** A window's request for leases, made once a second. */
export interface ServeRequest {
  /** The destinations that this window can serve. */
  readonly able: readonly Destination[];
  /** Destinations that have a status check due within a minute. */
  readonly checking: readonly Destination[];
}

export interface DestinationRow extends Destination {
  readonly id: number;
  readonly window: string | null;
  readonly pause: Pause | null;
  /**
   * The number of consecutive unconfirmed imports. Stored so that it survives a reload or a takeover by another window.
   */
  readonly brake: number;
  /** Whether something is queued or being sent. */
  readonly busy: boolean;
  /** Whether something is queued, being sent or waiting for a check. */
  readonly unfinished: boolean;
}

export interface Served {
  readonly destinations: readonly DestinationRow[];
  /** The IDs of the destinations that this window serves. */
  readonly held: readonly number[];
  /** When this window last renewed its leases, on the monotonic clock, or null if it holds none. */
  readonly renewedMs: number | null;
  /** This window's attempts that are marked as sending and that the user has canceled. */
  readonly canceled: readonly string[];
  /** Whether a window with a newer version is waiting to take over. If so, this window must stop sending. */
  readonly outdated: boolean;
}

// Status checks

export interface TaskKey {
  readonly import: number;
  readonly id: TaskId;
}

/** A task as the service reports it. */
export interface TaskFacts {
  readonly meaning: Meaning;
  readonly status: string | null;
  readonly progress: number | null;
  readonly message: string | null;
  /** Whether the status's meaning came from the user's mapping. If so, a different mapping may change it. */
  readonly byMapping: boolean;
}

/** The result of a status check. */
export interface Report extends TaskKey {
  /** The task's revision when the check began, so that late results can be dropped. */
  readonly revision: number;
  /** Null if the check failed. The task then keeps its last known facts. */
  readonly facts: TaskFacts | null;
  /** The pointer or expression that the state was read with, or null for the usual names. */
  readonly source: string | null;
  /** Why the check failed. */
  readonly cause: Cause | null;
  /** The query-task response, with the key masked. */
  readonly response?: string;
}

export interface TaskRow extends TaskKey, TaskFacts {
  readonly cause: Cause | null;
  readonly checkedMs: number | null;
  readonly endedMs: number | null;
  readonly revision: number;
}

/** A task that hasn't ended. */
export interface UnfinishedTask extends TaskKey {
  readonly file: number;
  readonly revision: number;
  readonly queuedMs: number;
  /** When the task's row last changed. */
  readonly changedMs: number;
  /** Whether the task's last stored check failed. */
  readonly isFailing: boolean;
  /** Null if the task was never checked, and 0 if it must be checked now for the user or a new mapping. */
  readonly checkedMs: number | null;
}

export interface AttachRequest {
  /** Imports that are unconfirmed or were accepted without an ID, and the IDs to attach to them. */
  readonly rows: readonly { readonly import: number; readonly ids: readonly TaskId[] }[];
  /** False if the user typed the IDs. Another file may have the same typed IDs, and a mapping doesn't replace them. */
  readonly byMapping: boolean;
}

// The list

/** Selects listed rows. An empty filter selects all rows. */
export interface Filter {
  readonly files?: readonly number[];
  readonly states?: readonly State[];
  readonly destinations?: readonly number[];
  /** Null selects rows without a batch. */
  readonly batch?: number | null;
  readonly run?: string;
  /** Null selects rows without a problem. */
  readonly reason?: string | null;
  /** Matches any text that the row shows, or an earlier name of the file. */
  readonly text?: string;
  /** Matches unfinished tasks that haven't changed since this time. */
  readonly quietSinceMs?: number;
  /** Matches rows whose latest import has at most this ID. */
  readonly upTo?: number;
}

/** Restricts a filter to these states. */
export function among(filter: Filter, states: readonly State[]): Filter {
  return { ...filter, states: states.filter((state) => filter.states?.includes(state) ?? true) };
}

export type StateCounts = Readonly<Partial<Record<State, number>>>;

export type GroupBy = 'batch' | 'destination' | 'state' | 'reason';

export interface Group {
  readonly value: number | string | null;
  readonly counts: StateCounts;
}

export interface ImportRow extends Content {
  readonly id: number;
  readonly run: string | null;
  readonly outcome: ImportOutcome;
  readonly cause: Cause | null;
  readonly cancel: boolean;
  readonly queuedMs: number;
  readonly beganMs: number | null;
  readonly endedMs: number | null;
  readonly sentBytes: number;
}

/** A row in the list: a file at a destination, and its latest import. */
export interface FileRow extends Destination, Pick<QueuedSource, 'path' | 'name' | 'relativePath' | 'textFile'> {
  readonly id: number;
  readonly destination: number;
  readonly batch: number | null;
  readonly state: State;
  readonly reason: string | null;
  readonly unfinished: boolean;
  readonly changedMs: number;
  readonly removed: boolean;
  readonly import: ImportRow;
  readonly tasks: readonly TaskRow[];
  /** When an earlier import was last accepted. Null unless the latest import failed or is unconfirmed. */
  readonly lastUploadedMs: number | null;
}

export interface Details {
  readonly row: FileRow;
  /** All imports of the file, newest first. */
  readonly imports: readonly ImportRow[];
  readonly events: readonly { readonly atMs: number; readonly event: StoredEvent }[];
  readonly responses: Readonly<Partial<Record<ResponseKind, string>>>;
}

export type ResponseKind = 'import' | 'query';

/** An event in a row's history that its imports and tasks don't show. */
export type StoredEvent =
  | { readonly kind: 'putBack'; readonly import: number; readonly answer: Cause }
  | { readonly kind: 'lateResponse'; readonly import: number }
  | ({ readonly kind: 'status'; readonly id: TaskId } & Pick<TaskFacts, 'meaning' | 'status'> & Pick<Report, 'source'>)
  | AttachedEvent
  | { readonly kind: 'marked'; readonly import: number }
  /** `from` is the earlier relative path. */
  | { readonly kind: 'renamed'; readonly from: string };

interface AttachedEvent extends Pick<AttachRequest, 'byMapping'> {
  readonly kind: 'attached';
  readonly import: number;
  readonly ids: readonly TaskId[];
  /** The import's outcome before the IDs were attached. */
  readonly before: EndOutcome;
}

/** The progress of all unfinished runs, in all windows. */
export interface RunProgress {
  readonly ended: number;
  readonly total: number;
}

export interface RunRow {
  readonly id: string;
  readonly beganMs: number;
  readonly endedMs: number | null;
  readonly skipped: Readonly<Record<string, number>>;
  /** The number of imports by outcome. */
  readonly sums: Readonly<Partial<Record<ImportOutcome, number>>>;
}

export interface BatchRow {
  readonly id: number;
  readonly destination: number;
  readonly label: string;
  readonly folder: string | null;
  /** When the latest run started. */
  readonly beganMs: number;
}

export interface BatchPage {
  readonly batch: BatchRow;
  readonly counts: StateCounts;
  /** The number of files that the user canceled. They don't count as problems. */
  readonly canceled: number;
  readonly runs: readonly RunRow[];
  /**
   * The most frequent problems, including rejected status checks, each with the first few files that have it. `total`
   * counts the files with any problem.
   */
  readonly reasons: readonly {
    readonly reason: string;
    readonly count: number;
    readonly total: number;
    readonly files: readonly number[];
  }[];
  /**
   * Data for a chart of the latest run. The run is divided into equal time slices, and the arrays contain the totals at
   * the end of each slice.
   */
  readonly course: {
    readonly fromMs: number;
    readonly toMs: number;
    readonly uploaded: readonly number[];
    readonly finished: readonly number[];
  };
}

/** Messages that this window has claimed, so that no other window shows them. */
export interface Announcement {
  readonly runs: readonly (RunRow & { readonly batch: BatchRow | null; readonly destination: number | null })[];
  readonly batches: readonly (BatchRow & { readonly counts: StateCounts })[];
}

// Remembered uploads

export interface KnownRequest {
  readonly destination: Destination;
  readonly paths: readonly string[];
  /** File sizes to look up. A file is worth hashing only if the service may have content of the same size. */
  readonly sizes?: readonly number[];
  readonly contents?: readonly { readonly sizeBytes: number; readonly sha256: string }[];
}

/** Everything the store knows about a path. */
export interface KnownFile {
  readonly path: string;
  readonly row:
    | (Content & Pick<FileRow, 'state' | 'removed'> & { readonly file: number; readonly import: number })
    | null;
  /** The most recent content that the service accepted. */
  readonly uploaded: (Content & { readonly import: number; readonly endedMs: number }) | null;
}

export interface Known {
  readonly files: readonly KnownFile[];
  /** The sizes from the request that match content that the service may have. */
  readonly sizes: readonly number[];
  /**
   * The contents from the request that the service may have, each with its most recent import for every outcome. Accepted
   * imports come last. `endedMs` is null while the content is queued or being sent.
   */
  readonly contents: readonly (Pick<ImportRow, 'outcome' | 'endedMs'> & {
    readonly sha256: string;
    readonly path: string | null;
  })[];
}

/** How many finished rows to keep, and for how long. */
export interface Retention {
  readonly days: number;
  readonly rows: number;
}
