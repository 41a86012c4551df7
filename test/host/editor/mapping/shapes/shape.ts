import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import type { Input } from '../scriptedUser';
import type { ReceivedImport } from './shapeService';

/** What a service reports about a task at a stage, as JSON, and what that really means. */
export type Stage = readonly [data: string | ((task: number, query: string) => string), truth: KnownMeaning];

/** How a service responds. */
export interface Speech {
  /** Why it rejects an import; undefined if nothing is missing. */
  lacks?(received: ReceivedImport): string | undefined;
  /** The `data` of file-task's response for the n-th task, as JSON. By default, `taskId` is `t-` and the number. */
  begins?(task: number): string;
  /** The exact bodies of queries about the n-th task: several if the file has several tasks. By default, that `taskId`. */
  query?(task: number): string | readonly string[];
  /** Its rejection of any other query. */
  unknown?(body: string): string;
  /** Its reports about a task, stage by stage. */
  readonly tells: readonly Stage[];
}

/** A service that the extension wasn't written for, and how a newcomer makes it usable. */
export interface Shape extends Speech {
  readonly what: string;
  /** The name of the n-th file. */
  readonly file?: (number: number) => string;
  /** The access key that is entered first, if it is wrong. */
  readonly firstKey?: string;
  /** How many files are imported first, together; 1 by default. */
  readonly files?: number;
  /** The steps until all tasks have the right results. */
  readonly steps: readonly Step[];
  /** Max picks; 3 by default. */
  readonly maxPicks?: number;
}

/**
 * A step: click a button of a message and give these inputs; move the tasks to this stage, or each to its own; import this
 * many files; or type the state expression.
 */
export type Step =
  | string
  | readonly [button: string, ...inputs: Input[]]
  | number
  | readonly number[]
  | { readonly imports: number }
  | { readonly state: string };
