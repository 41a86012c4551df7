// The vocabulary of the store. All of it is plain data that crosses threads; null means "none" or "unknown", as in SQL.
import type { TaskId } from '../../service/json/taskId';

/** The states that need the user. */
export const PROBLEMS = ['failed', 'rejected', 'unconfirmed', 'notUploaded', 'noId', 'unknown'] as const;
const OTHERS = ['sending', 'queued', 'running', 'waiting', 'untracked', 'uploaded', 'succeeded'] as const;
/** The states of a row. The index is the rank in the list, so problems come first. */
export const STATES = [...PROBLEMS, ...OTHERS] as const;
export type State = (typeof STATES)[number];

/** Each import ends in exactly one of these. */
export type EndOutcome = 'accepted' | 'rejected' | 'notUploaded' | 'unconfirmed';
export type ImportOutcome = 'queued' | 'sending' | EndOutcome;

/** `none`: the service reports nothing yet. `untracked`: the user stopped tracking the task. */
export type Meaning = 'none' | 'running' | 'unknown' | 'succeeded' | 'failed' | 'untracked';

/**
 * Why an import or a check failed, as the plain fields of an error; the editor words it. The store itself writes the names
 * `CanceledError`, `WindowClosed`, `RepeatedId`, `Superseded` and `Marked`. `rejected` marks a check that the service
 * rejected: checking again won't help.
 */
export interface Cause {
  readonly name: string;
  readonly reason?: string;
  readonly status?: number;
  readonly code?: string;
  readonly message?: string | null;
  readonly [field: string]: unknown;
}

/** A dataset and the origin of its base URL. */
export interface Destination {
  readonly dataset: string;
  readonly origin: string;
}

/** Why a destination sends nothing. `untilMs` is null if only the user can resume it. */
export interface Pause {
  readonly reason: string;
  readonly untilMs: number | null;
  readonly cause?: Cause | null;
}

// Sending

/** A file's content at the time it was read. */
export interface Content {
  readonly sizeBytes: number;
  readonly modifiedMs: number | null;
  readonly sha256: string | null;
}

/** A file or text to import. */
export interface QueuedSource extends Content {
  /** The real path; null for a text that has no file. */
  readonly path: string | null;
  readonly name: string;
  readonly relativePath: string;
  /** The name of our own file with the text. */
  readonly textFile: string | null;
}

/** A file to be queued. */
export interface NewImport extends QueuedSource {
  /** The import that the row had when the user decided; null if there was no row. */
  readonly seen: number | null;
  /** The row to import into, if the path doesn't identify it: for moved files and texts. */
  readonly row?: number;
}

export interface QueueRequest {
  readonly destination: Destination;
  /** Identifies one start of an import. Repeating a request with the same run adds nothing. */
  readonly run: string;
  /** Null for a single file. Without a folder: files chosen together. The ID of a batch continues that batch. */
  readonly batch: { readonly label: string; readonly folder: string | null } | number | null;
  /** How many files were skipped, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Whether this window can send right away: it then claims the lease, unless another window is uploading. */
  readonly claims: boolean;
  readonly files: readonly NewImport[];
}

export interface Queued {
  readonly destination: number;
  readonly batch: number | null;
  /** The import of each file; null if the row is already being imported, or has a newer import than the user saw. */
  readonly imports: readonly (number | null)[];
}

/** An import that can be sent next. */
export interface NextImport extends QueuedSource {
  readonly import: number;
  readonly file: number;
  /** Whether the file was queued alone. Single files get an extra slot. */
  readonly single: boolean;
  readonly tries: number;
  readonly queuedMs: number;
}

/** Starts an attempt to send an import. An attempt is named by its window's id, a space, and anything unique. */
export interface Begin {
  readonly import: number;
  readonly attempt: string;
  /** Known if the file was read ahead. */
  readonly content?: Content;
}

export interface End {
  readonly attempt: string;
  readonly outcome: EndOutcome;
  readonly cause?: Cause;
  /** File-task's response, the key masked. */
  readonly response?: string;
  readonly taskIds?: readonly TaskId[];
  /** Known if the file was read while it was sent. */
  readonly content?: Content;
  readonly sentBytes: number;
  /** How many unconfirmed imports in a row the gate has counted, including this one. */
  readonly brake: number;
}

/** The stored result of an attempt. */
export interface Ended {
  readonly attempt: string;
  readonly import: number;
  readonly file: number | null;
  /** May differ from the outcome that was passed in, because another file has the same id. */
  readonly outcome: ImportOutcome;
  readonly cause: Cause | null;
}

export interface PutBack {
  readonly attempt: string;
  /** Whether something was sent: the import then goes behind those that weren't tried yet. */
  readonly tried: boolean;
  /** The response that asked to try this file later: a 408, a try-later code or a 403. */
  readonly answer?: Cause;
}

/** A window's request for leases, once a second. */
export interface ServeRequest {
  /** The destinations that this window can serve. */
  readonly able: readonly Destination[];
  /** Destinations with a status check due within a minute. */
  readonly checking: readonly Destination[];
}

export interface DestinationRow extends Destination {
  readonly id: number;
  readonly window: string | null;
  readonly pause: Pause | null;
  /** Unconfirmed imports in a row. Stored, so that the count survives a reload and a takeover. */
  readonly brake: number;
  /** Whether something is queued or being sent. */
  readonly busy: boolean;
  /** Whether something is queued, being sent or to be checked. */
  readonly unfinished: boolean;
}

export interface Served {
  readonly destinations: readonly DestinationRow[];
  /** The ids of the destinations that this window serves. */
  readonly held: readonly number[];
  /** When this window last renewed its leases, by the monotonic clock; null if it holds none. */
  readonly renewedMs: number | null;
  /** This window's marked attempts. If one is missing, another window took this one for closed: don't send it. */
  readonly attempts: readonly { readonly attempt: string; readonly canceled: boolean }[];
  /** How many imports of closed windows this call made unconfirmed. */
  readonly interrupted: number;
  /** Whether a window with a newer version waits for this window, which must send nothing more. */
  readonly outdated: boolean;
}

// Following

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
  /** Whether the user's mapping decided the meaning, so that another mapping may change it. */
  readonly byMapping: boolean;
}

/** The result of a status check. */
export interface Report extends TaskKey {
  /** The task's revision when the check began: the fence against late responses. */
  readonly revision: number;
  /** Null if the check failed: the task keeps its last known facts. */
  readonly facts: TaskFacts | null;
  /** Why the check failed. */
  readonly cause: Cause | null;
  /** Query-task's response, the key masked. */
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
  /** When its row last changed. */
  readonly changedMs: number;
  /** Null if it was never checked, or if the user wants it checked now. */
  readonly checkedMs: number | null;
}

export interface AttachRequest {
  /** Imports that are unconfirmed, or accepted without an id. */
  readonly rows: readonly { readonly import: number; readonly ids: readonly TaskId[] }[];
  /** False if the user typed the ids: they are trusted even if another file has them. */
  readonly byMapping: boolean;
}

// The list

/** Selects listed rows. An empty filter selects all of them. */
export interface Filter {
  readonly files?: readonly number[];
  readonly states?: readonly State[];
  readonly destinations?: readonly number[];
  /** Null for rows without a batch. */
  readonly batch?: number | null;
  readonly run?: string;
  /** Null for rows without a reason. */
  readonly reason?: string | null;
  /** Matches any text that the row shows, and earlier names. */
  readonly text?: string;
  /** Unfinished tasks that haven't changed since then. */
  readonly quietSinceMs?: number;
}

/** Narrows a filter down to rows with one of these states. */
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
  readonly attempt: string | null;
  readonly cancel: boolean;
  readonly tries: number;
  readonly queuedMs: number;
  readonly beganMs: number | null;
  readonly endedMs: number | null;
  readonly sentBytes: number;
}

/** A row of the list: a file at a destination, and its newest import. */
export interface FileRow extends Destination {
  readonly id: number;
  readonly destination: number;
  readonly batch: number | null;
  readonly path: string | null;
  readonly name: string;
  readonly relativePath: string;
  readonly textFile: string | null;
  readonly state: State;
  readonly reason: string | null;
  readonly unfinished: boolean;
  readonly changedMs: number;
  readonly removed: boolean;
  readonly import: ImportRow;
  readonly tasks: readonly TaskRow[];
  /** When an earlier import was accepted, if the newest one failed. */
  readonly lastUploadedMs: number | null;
}

export interface Details {
  readonly row: FileRow;
  /** All imports of the file, newest first. `runFiles` counts the files of the same run. */
  readonly imports: readonly (ImportRow & { readonly runFiles: number })[];
  readonly events: readonly { readonly atMs: number; readonly event: StoredEvent }[];
  readonly responses: Readonly<Partial<Record<ResponseKind, string>>>;
}

export type ResponseKind = 'import' | 'query';

/** Something in a row's history that its imports and tasks don't show. */
export type StoredEvent =
  | { readonly kind: 'putBack'; readonly import: number; readonly answer: Cause }
  | { readonly kind: 'lateResponse'; readonly import: number }
  | { readonly kind: 'status'; readonly id: TaskId; readonly meaning: Meaning; readonly status: string | null }
  | { readonly kind: 'attached'; readonly import: number; readonly ids: readonly TaskId[] }
  | { readonly kind: 'marked'; readonly import: number }
  /** `from` is the earlier relative path. */
  | { readonly kind: 'renamed'; readonly from: string };

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
  /** When the newest run began. */
  readonly beganMs: number;
}

export interface BatchPage {
  readonly batch: BatchRow;
  readonly counts: StateCounts;
  readonly runs: readonly RunRow[];
  /** Problems, most frequent first, each with its first files. */
  readonly reasons: readonly { readonly reason: string; readonly count: number; readonly files: readonly number[] }[];
  /** A chart of the newest run: its time is divided into equal parts, and the counts are those at the end of each part. */
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

// The memory

export interface KnownRequest {
  readonly destination: Destination;
  readonly paths: readonly string[];
  /** Sizes of files. Only files with a known size are worth hashing. */
  readonly sizes?: readonly number[];
  readonly contents?: readonly { readonly sizeBytes: number; readonly sha256: string }[];
}

/** Everything known about a path. */
export interface KnownFile {
  readonly path: string;
  readonly row:
    | (Content & Pick<FileRow, 'state' | 'removed'> & { readonly file: number; readonly import: number })
    | null;
  /** The content that was accepted last. */
  readonly uploaded: (Content & { readonly endedMs: number }) | null;
}

export interface Known {
  readonly files: readonly KnownFile[];
  /** The given sizes that match an accepted content. */
  readonly sizes: readonly number[];
  /** Accepted contents, each with the newest file that had it. */
  readonly contents: readonly { readonly sha256: string; readonly path: string | null; readonly endedMs: number }[];
}

/** How many finished rows are kept, and for how long. */
export interface Retention {
  readonly days: number;
  readonly rows: number;
}
