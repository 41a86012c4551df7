import type { Contract } from '../service/contract/contract';
import {
  type BadResponseError,
  type CanceledError,
  type ConnectError,
  type ConnectionLostError,
  causeText,
  type ServiceError,
  type SourceError,
  type UnexpectedError,
} from '../service/errors';
import type { TaskId } from '../service/json/taskId';
import type { FieldSource } from '../service/response/fields';
import type { Outcome, Refusal } from '../service/response/outcome';
import type { TaskReport } from '../service/response/taskReport';

type Facts<E extends Error> = Omit<E, 'message' | 'stack' | 'cause'>;

/** Why there is no clear response: the plain fields of an error, for the store. Formatted where it is shown. */
export type Failure = { readonly detail: string } & (
  | Facts<ConnectError>
  | Facts<ConnectionLostError>
  | Facts<BadResponseError>
  | Facts<SourceError>
  | Facts<CanceledError>
  | Facts<UnexpectedError>
  /** The window that sent it is gone, or was held up for so long that it was taken for gone: its response may still come. */
  | { readonly name: 'WindowClosed'; readonly attemptId: string }
);

/** Why the service rejected a request, without the response, which the task keeps itself. */
export type KeptRefusal =
  | Exclude<Refusal, { readonly by: 'envelope' }>
  | Omit<Extract<Refusal, { readonly by: 'envelope' }>, 'response'>;

/** The phase of an import. Each ends in one of the four phases of {@link EndedPhase}. */
export type Phase =
  | { readonly kind: 'queued' }
  /**
   * From before the first byte of its body is sent until it has ended. Whoever wants it canceled says so here, to the window
   * that sends it.
   */
  | { readonly kind: 'sending'; readonly attemptId: string; readonly isCanceled?: true }
  | EndedPhase;

/** How an import ended. */
export type EndedPhase =
  | Accepted
  | { readonly kind: 'notSent'; readonly failure: Failure }
  | { readonly kind: 'rejected'; readonly refusal: KeptRefusal }
  | {
      readonly kind: 'unconfirmed';
      readonly failure: Failure;
      readonly sentBytes: number;
      /** 0 where it is not known how much was sent. */
      readonly totalBytes: number;
    };

/** The service accepted the file, as one task or as several. */
export interface Accepted {
  readonly kind: 'accepted';
  /** Of several tasks what all their reports come to. Undefined where there is none yet. */
  readonly report: TaskReport | undefined;
  /** Set where there are several tasks. */
  readonly parts?: readonly TaskPart[];
  /** How many more tasks there are than are followed; absent for none. */
  readonly leftOut?: number;
  /** The one of several tasks that the last response is about; absent before the first. */
  readonly lastPart?: TaskId;
}

/** One of the several tasks that came of one file. */
export interface TaskPart {
  readonly taskId: TaskId;
  readonly report: TaskReport | undefined;
  /** Why the last query about it gave no report. */
  readonly queryError?: QueryError;
}

/** One try to send an import, and how it ended. */
export interface Attempt {
  /** Milliseconds since 1970. */
  readonly beganMs: number;
  readonly endedMs: number;
  /** Of the request's body, as far as it was handed to the network. */
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly end: EndedPhase;
}

/** Why the last query-task gave no report. */
export type QueryError =
  | {
      readonly kind: 'rejected';
      readonly refusal: KeptRefusal;
      /** Set where the service rejected the access key. */
      readonly badKey?: true;
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What a task was made of. */
export interface Source {
  /** A file of the user's, or a text that has none. */
  readonly from: 'disk' | 'text';
  /** The path on disk, or the name of a text. */
  readonly path: string;
  /** The name of the file of ours that holds a text from before it is queued until it is accepted or removed. */
  readonly textFile?: string;
  /** The path inside the workspace; the name where it is outside. */
  readonly relativePath: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** When the file was last changed, in milliseconds since 1970; absent where that time could also be that of a later change. */
  readonly modifiedMs?: number;
  /** Hexadecimal, of the bytes that were sent; absent where not all were read. */
  readonly sha256?: string;
}

/** The files of a folder, or files that were chosen together, at a destination. */
export interface Batch {
  readonly id: string;
  /** Its name, for example that of the folder. */
  readonly label: string;
  /** The path of the folder; absent for chosen files. */
  readonly folder?: string;
}

/** An import that the service accepted, before the file was imported again. */
export interface EarlierImport {
  /** Absent where none was known. */
  readonly taskId?: TaskId;
  /** When it was accepted, milliseconds since 1970. */
  readonly atMs: number;
}

/**
 * A file at a destination: its newest import, and the task that came of it. Or a task that was made elsewhere and is followed
 * from here.
 */
export interface TrackedTask {
  /** Ours, stable for as long as the task is tracked. */
  readonly key: number;
  /** Another one after each change in the store. */
  readonly revision: number;
  readonly dataset: string;
  /** The origin of its dataset's base URL when it was begun; undefined only in rows that cannot be read. */
  readonly origin: string | undefined;
  /** Undefined for a task that was made elsewhere. */
  readonly source: Source | undefined;
  /** Undefined for a single import. */
  readonly batch: Batch | undefined;
  /** The id of the window in which a person began the import last, which reports its end. */
  readonly begunIn: string | undefined;
  /** The tries to send it that have ended, the first one first. */
  readonly attempts: readonly Attempt[];
  /** When the newest import was begun, milliseconds since 1970. */
  readonly createdMs: number;
  /** The last import before the newest one that the service has accepted, as far as it did not fail there. */
  readonly earlier: EarlierImport | undefined;
  /** Where there are several, the first one; all of them are in the phase. */
  readonly taskId: TaskId | undefined;
  /** Where in file-task's response the id was found; undefined where the user entered it. */
  readonly taskIdFrom: FieldSource | undefined;
  /** Whether file-task's response is kept: {@link Responses} are read when they are shown. */
  readonly hasImportResponse: boolean;
  readonly phase: Phase;
  /** Whether a response of the service is kept. */
  readonly hasLastResponse: boolean;
  /** When the last response came that said anything new of it, milliseconds since 1970; later ones are not recorded. */
  readonly checkedMs: number | undefined;
  readonly lastQueryError: QueryError | undefined;
}

/** What the service responded about a task, as JSON texts in which the access key is masked. */
export interface Responses {
  /** File-task's response. Kept, as the user may map the id later. */
  readonly importResponse: string | undefined;
  /** The last response. */
  readonly lastResponse: string | undefined;
}

/** A task before the store has given it a key, with its responses. */
export type NewTask = Omit<TrackedTask, 'key' | 'revision' | 'hasImportResponse' | 'hasLastResponse'> & Responses;

/** A new task with these parts, and all others undefined. */
export function newTask(known: Pick<NewTask, 'dataset' | 'createdMs' | 'phase'> & Partial<NewTask>): NewTask {
  return {
    origin: undefined,
    source: undefined,
    batch: undefined,
    begunIn: undefined,
    attempts: [],
    earlier: undefined,
    taskId: undefined,
    taskIdFrom: undefined,
    importResponse: undefined,
    lastResponse: undefined,
    checkedMs: undefined,
    lastQueryError: undefined,
    ...known,
  };
}

/** A task's state, for its icon, description and menus. */
export type TaskState =
  | Exclude<Phase['kind'], 'accepted'>
  | 'withoutId'
  | 'waiting'
  /** The service has responded, and reports nothing yet. */
  | 'noReport'
  | NonNullable<Contract['queryTask']['statusMeanings'][string]>
  | 'unknown';

/** The state of a task: the phase of its import, or the reported meaning once it is accepted. */
export function taskState({ phase, taskId }: Pick<TrackedTask, 'phase' | 'taskId'>): TaskState {
  if (phase.kind !== 'accepted') return phase.kind;
  if (taskId === undefined) return 'withoutId';
  if (phase.report === undefined) return 'waiting';
  return phase.report.meaning === 'none' ? 'noReport' : phase.report.meaning;
}

/** The phase of the import behind a state. */
export function phaseKindOf(state: TaskState): Phase['kind'] {
  switch (state) {
    case 'queued':
    case 'sending':
    case 'notSent':
    case 'rejected':
    case 'unconfirmed':
      return state;
    default:
      return 'accepted';
  }
}

/** Whether an import is still to be sent, or being sent. */
export function isOpen({ kind }: Phase): boolean {
  return isOpenState(kind);
}

/** Whether a phase or state is that of an import that is still to be sent, or being sent. */
export function isOpenState(state: Phase['kind'] | TaskState): boolean {
  return state === 'queued' || state === 'sending';
}

/**
 * Whether an import is in an attempt to send it, or ended only as the window of that attempt was taken for gone.
 */
export function isOfAttempt(phase: Phase, attemptId: string | undefined): boolean {
  switch (phase.kind) {
    case 'sending':
      return phase.attemptId === attemptId;
    case 'unconfirmed':
      return phase.failure.name === 'WindowClosed' && phase.failure.attemptId === attemptId;
    default:
      return false;
  }
}

/** Whether the sending of an import has ended. */
export function hasEnded(phase: Phase): phase is EndedPhase {
  return !isOpen(phase);
}

/** Whether the service has certainly not received an import, so that it can be sent again. */
export function wasNotAccepted({ kind }: Phase): boolean {
  return kind === 'notSent' || kind === 'rejected';
}

/** Whether an import was accepted before its whole file was sent, so that the service cannot have read all of it. */
export function wasAcceptedEarly({ attempts }: TrackedTask): boolean {
  const last = attempts.at(-1);
  return last !== undefined && last.end.kind === 'accepted' && last.sentBytes < last.totalBytes;
}

/** Whether a task, or one of several, may still change at the service: one of several may run on where another failed. */
export function isUnfinished<Task extends Pick<TrackedTask, 'phase' | 'taskId'>>(
  task: Task,
): task is Task & { taskId: TaskId } {
  const { phase } = task;
  const hasUnfinishedPart = phase.kind === 'accepted' && phase.parts?.some(({ report }) => !isEnd(report));
  return hasUnfinishedPart || isUndecided(task) || isUnverified(phase);
}

/** Whether the state of a task may still change. An unknown status is not an end. */
export function isUndecided(task: Pick<TrackedTask, 'phase' | 'taskId'>): boolean {
  return isUndecidedState(taskState(task));
}

/** Whether a state may still change. */
export function isUndecidedState(state: TaskState): boolean {
  return isRunningState(state) || state === 'unknown';
}

/** Whether the service is working on a task, as far as is known. */
export function isRunningState(state: TaskState): boolean {
  return state === 'waiting' || state === 'noReport' || state === 'running';
}

/** From when on the lack of progress of a running task is worth a mention. */
export const NO_PROGRESS_MS = 3 * 60 * 60_000;

/** How long nothing about a running task has changed, in milliseconds; undefined if that's not worth a mention. */
export function noProgressMs(task: TrackedTask, nowMs: number): number | undefined {
  const { checkedMs, lastQueryError } = task;
  // The reason why the last check failed matters more.
  if (checkedMs === undefined || lastQueryError !== undefined || !isRunningState(taskState(task))) return undefined;
  return nowMs - checkedMs < NO_PROGRESS_MS ? undefined : nowMs - checkedMs;
}

/** Whether a report is of a task that has ended. */
export function isEnd(report: TaskReport | undefined): boolean {
  return report?.meaning === 'succeeded' || (report?.meaning === 'failed' && !report.isUnverified);
}

/** Whether a failure was reported for the first time, which a second report has to confirm. */
export function isUnverified(phase: Phase): boolean {
  return phase.kind === 'accepted' && phase.report?.isUnverified === true;
}

/** An error as it is stored. */
export function failureOf(error: ServiceError): Failure {
  // A certificate may hold any number of names, and all of them would be in it.
  return { ...error, detail: error.cause === undefined ? '' : beginning(causeText(error.cause)) };
}

/** A refusal as it is stored. */
export function keptRefusal(refusal: Refusal | KeptRefusal): KeptRefusal {
  if (refusal.by !== 'envelope') return refusal;
  const { by, status, code, message } = refusal;
  return { by, status, code: beginning(code), message: message && beginning(message) };
}

/** Max characters kept of a code or message; the rest is in the response. */
const KEPT_CHARACTERS = 2000;

function beginning(text: string): string {
  return text.length > KEPT_CHARACTERS ? `${text.slice(0, KEPT_CHARACTERS)}…` : text;
}

/** The phase of an import after an outcome. */
export function phaseAfter(outcome: Outcome<unknown>): EndedPhase {
  switch (outcome.kind) {
    case 'accepted':
      return { kind: 'accepted', report: undefined };
    case 'rejected':
      return { kind: 'rejected', refusal: keptRefusal(outcome.refusal) };
    case 'notSent':
      return { kind: 'notSent', failure: failureOf(outcome.cause) };
    case 'unconfirmed':
      return {
        kind: 'unconfirmed',
        failure: failureOf(outcome.cause),
        sentBytes: outcome.sentBytes,
        totalBytes: outcome.totalBytes,
      };
  }
}
