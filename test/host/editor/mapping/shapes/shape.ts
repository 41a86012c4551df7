import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import type { Input } from '../scriptedUser';
import type { ReceivedImport } from './shapeService';

/** What a service says of a task at a stage, as JSON, and what that means in truth. */
export type Stage = readonly [data: string | ((task: number, query: string) => string), truth: KnownMeaning];

/** How a service speaks. */
export interface Speech {
  /** Why it rejects an import; undefined where nothing lacks. */
  lacks?(received: ReceivedImport): string | undefined;
  /** The `data` of file-task's response for the n-th task, as JSON; without it, its `taskId` is `t-` and the number. */
  begins?(task: number): string;
  /** The body by which it knows the n-th task, to the byte, several where the file has several tasks; or that `taskId`. */
  query?(task: number): string | readonly string[];
  /** What it says to any other query. */
  unknown?(body: string): string;
  /** What it says of a task, stage by stage. */
  readonly tells: readonly Stage[];
}

/** A service that nobody wrote this extension for, and how a newcomer makes it usable. */
export interface Shape extends Speech {
  readonly what: string;
  /** The name of the n-th file. */
  readonly file?: (number: number) => string;
  /** The access key that is entered first, where it is not the right one. */
  readonly firstKey?: string;
  /** How many files are imported first, together; 1 without it. */
  readonly files?: number;
  /** From there to tasks that are at their right ends. */
  readonly steps: readonly Step[];
  /** Most picks that this may take; 3 without it. */
  readonly maxPicks?: number;
}

/**
 * A step of a newcomer, or of time: a button of a message is clicked, and these inputs are given; the tasks come to this
 * stage, each to its own where there are several; files are imported together; the state expression is typed into
 * its box.
 */
export type Step =
  | string
  | readonly [button: string, ...inputs: Input[]]
  | number
  | readonly number[]
  | { readonly imports: number }
  | { readonly state: string };
