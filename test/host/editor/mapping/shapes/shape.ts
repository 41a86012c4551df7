import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import type { Input } from '../scriptedUser';
import type { ReceivedImport } from './shapeService';

/** The JSON that a service reports about a task at a stage, and the task's true state. */
export type Stage = readonly [data: string | ((task: number, query: string) => string), truth: KnownMeaning];

/** How a service responds. */
export interface ServiceBehavior {
  /** Why the service rejects an import; undefined if the import is accepted. */
  missing?(received: ReceivedImport): string | undefined;
  /** The `data` in file-task's response for the n-th task, as JSON. By default, `taskId` is `t-` and the number. */
  importData?(task: number): string;
  /** The exact query bodies for the n-th task: several if the file has several tasks. By default, that `taskId` in an object. */
  query?(task: number): string | readonly string[];
  /** The message that rejects any other query. */
  unknown?(body: string): string;
  /** The reports about a task, stage by stage. */
  readonly reports: readonly Stage[];
}

/** A service that the extension doesn't know, and how a new user makes it usable. */
export interface Shape extends ServiceBehavior {
  /** Completes the title "A service with … becomes usable within a few clicks". */
  readonly what: string;
  /** The name of the n-th file. */
  readonly file?: (number: number) => string;
  /** A wrong access key to enter first, if any. */
  readonly firstKey?: string;
  /** The number of files in the first import; 1 by default. */
  readonly files?: number;
  /** The steps until all tasks have the right results. */
  readonly steps: readonly Step[];
  /** Max number of picks; 3 by default. */
  readonly maxPicks?: number;
}

/**
 * A step: click a message button and enter these inputs; move all tasks to this stage, or each task to its own stage;
 * import this many files; or type the state expression.
 */
export type Step =
  | string
  | readonly [button: string, ...inputs: Input[]]
  | number
  | readonly number[]
  | { readonly imports: number }
  | { readonly state: string };
