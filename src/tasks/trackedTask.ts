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
import type { Outcome, Refusal } from '../service/response/outcome';
import type { FieldSource } from '../service/response/recognition';
import type { TaskReport } from '../service/response/taskReport';

type Facts<E extends Error> = Omit<E, 'message' | 'stack' | 'cause'>;

/** Why there is no clear response, as plain facts that can be stored; the words are made where they are shown. */
export type Failure = { readonly detail: string } & (
  | Facts<ConnectError>
  | Facts<ConnectionLostError>
  | Facts<BadResponseError>
  | Facts<SourceError>
  | Facts<CanceledError>
  | Facts<UnexpectedError>
  /** The window that sent it is gone. */
  | { readonly name: 'WindowClosed' }
  /** The store was set aside, and another window may have sent it while this one did not look. */
  | { readonly name: 'StoreSetAside' }
  /** Its text was held in memory by a window that is gone. */
  | { readonly name: 'TextGone' }
  /** Its dataset is no longer known, or has no access key. */
  | { readonly name: 'NoTarget' }
  /** The batch was stopped, as several before it had failed; `cause` is how the last of them ended. */
  | { readonly name: 'CircuitOpen'; readonly cause?: EndedPhase }
);

/** Why the service said no, without its whole response: of that the task keeps the last one. */
export type KeptRefusal =
  | Exclude<Refusal, { readonly by: 'envelope' }>
  | Omit<Extract<Refusal, { readonly by: 'envelope' }>, 'response'>;

/** How far an import has come: each ends in exactly one of the last four, unless its row was damaged. */
export type Phase =
  | { readonly kind: 'queued' }
  /** From before the first byte of its body leaves until it has ended. */
  | { readonly kind: 'sending' }
  /** Its row in the store cannot be read, and nobody changes it. Nothing else of the task is known then. */
  | { readonly kind: 'unreadable' }
  | EndedPhase;

/** How an import ended. */
export type EndedPhase =
  | { readonly kind: 'accepted'; readonly report: TaskReport | undefined }
  | { readonly kind: 'notSent'; readonly failure: Failure }
  | { readonly kind: 'rejected'; readonly refusal: KeptRefusal }
  | {
      readonly kind: 'unconfirmed';
      readonly failure: Failure;
      readonly sentBytes: number;
      /** 0 where what had left is not known. */
      readonly totalBytes: number;
    };

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
      /** There where the key is what the service minds. */
      readonly badKey?: true;
    }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** What a task was made of. */
export interface Source {
  /** A file on disk is read as it is sent; a text in memory is held by the window that imports it. */
  readonly from: 'disk' | 'memory';
  /** The path on disk, or what a text in memory is called. */
  readonly path: string;
  /** The path inside the workspace; the name where it is outside. */
  readonly relativePath: string;
  readonly name: string;
  readonly sizeBytes: number;
  /** Hexadecimal, of the bytes that were sent; absent where not all were read. */
  readonly sha256?: string;
}

/** Imports that a person began together. */
export interface Batch {
  readonly id: string;
  /** What it is called: the folder, say. */
  readonly label: string;
}

/** An import and the task that came of it, or a task made elsewhere and followed from here. */
export interface TrackedTask {
  /** Ours, stable for as long as the task is tracked. */
  readonly key: number;
  readonly dataset: string;
  /** The origin of its dataset's base URL when it was begun; undefined only in rows of old stores, until they are bound. */
  readonly origin: string | undefined;
  /** Undefined for a task that was made elsewhere. */
  readonly source: Source | undefined;
  /** Undefined for what was imported by itself. */
  readonly batch: Batch | undefined;
  /** The id of the window that is to send it, or is sending it. */
  readonly owner: string | undefined;
  /** The tries to send it that have ended, the first one first. */
  readonly attempts: readonly Attempt[];
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  readonly taskId: TaskId | undefined;
  /** Where in file-task's response the id was found; undefined where a person gave it. */
  readonly taskIdFrom: FieldSource | undefined;
  /** File-task's response as JSON text, the access key masked; kept, as the id may be looked for elsewhere in it later. */
  readonly importResponse: string | undefined;
  readonly phase: Phase;
  /** The service's last response as JSON text, the access key masked. */
  readonly lastResponse: string | undefined;
  /** When the service last answered about it, milliseconds since 1970. */
  readonly checkedMs: number | undefined;
  readonly lastQueryError: QueryError | undefined;
}

/** What a new task is made of; the store adds the key. */
export type NewTask = Omit<TrackedTask, 'key'>;

/** A new task of which nothing is known yet but what is told. */
export function newTask(told: Pick<NewTask, 'dataset' | 'createdMs' | 'phase'> & Partial<NewTask>): NewTask {
  return {
    origin: undefined,
    source: undefined,
    batch: undefined,
    owner: undefined,
    attempts: [],
    taskId: undefined,
    taskIdFrom: undefined,
    importResponse: undefined,
    lastResponse: undefined,
    checkedMs: undefined,
    lastQueryError: undefined,
    ...told,
  };
}

/** A task's state in one word, for icon, words and menus. */
export type TaskState =
  | Exclude<Phase['kind'], 'accepted'>
  | 'withoutId'
  | 'waiting'
  | NonNullable<Contract['queryTask']['statusMeanings'][string]>
  | 'unknown';

/** The state of a task: how its import ended, or for an accepted one what the service says of it. */
export function taskState({ phase, taskId }: TrackedTask): TaskState {
  if (phase.kind !== 'accepted') return phase.kind;
  if (taskId === undefined) return 'withoutId';
  return phase.report === undefined ? 'waiting' : phase.report.meaning;
}

/** Tells whether an import has not ended yet. */
export function isOpen({ kind }: Phase): boolean {
  return kind === 'queued' || kind === 'sending';
}

/** Tells whether an import has ended, as far as its sending goes. */
export function hasEnded(phase: Phase): phase is EndedPhase {
  return !isOpen(phase) && phase.kind !== 'unreadable';
}

/** Tells whether an import has certainly not been taken, so that it can be sent again. */
export function wasNotTaken({ kind }: Phase): boolean {
  return kind === 'notSent' || kind === 'rejected';
}

/** Tells whether an import was accepted before the whole file was sent, so that the service cannot have read all of it. */
export function wasAcceptedEarly({ attempts }: TrackedTask): boolean {
  const last = attempts.at(-1);
  return last !== undefined && last.end.kind === 'accepted' && last.sentBytes < last.totalBytes;
}

/** Tells whether an import ended and it is not certain that it was taken. */
export function hasFailed(phase: Phase): boolean {
  return wasNotTaken(phase) || phase.kind === 'unconfirmed';
}

/** Tells whether the service may still have news of a task. An unknown status is not an end. */
export function isUnfinished(task: TrackedTask): task is TrackedTask & { taskId: TaskId } {
  const state = taskState(task);
  return state === 'waiting' || state === 'running' || state === 'unknown';
}

/** The storable facts of an error. */
export function failureOf(error: ServiceError): Failure {
  // A certificate may hold any number of names, and all of them would be in it.
  return { ...error, detail: error.cause === undefined ? '' : beginning(causeText(error.cause)) };
}

/** A refusal as it is kept with a task. */
export function keptRefusal(refusal: Refusal | KeptRefusal): KeptRefusal {
  if (refusal.by !== 'envelope') return refusal;
  const { by, status, code, message } = refusal;
  return { by, status, code: beginning(code), message: message && beginning(message) };
}

/** As much of what the service says is kept for people to read; the rest is in its response. */
const KEPT_CHARACTERS = 2000;

function beginning(text: string): string {
  return text.length > KEPT_CHARACTERS ? `${text.slice(0, KEPT_CHARACTERS)}…` : text;
}

/** The phase in which an import is after an outcome. */
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
