import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import type { Input } from '../scriptedUser';
import type { ReceivedImport } from './shapeService';

/** The JSON that a service returns for a task at one stage, and the task's true state at that stage. */
export type Stage = readonly [data: string | ((task: number, query: string) => string), truth: KnownMeaning];

/** How a service responds. */
export interface ServiceBehavior {
  /** Returns why the service rejects an import, or undefined if the service accepts it. */
  missing?(received: ReceivedImport): string | undefined;
  /** The JSON `data` in file-task's response for the nth task. The default for the first task is `{"taskId":"t-1"}`. */
  importData?(task: number): string;
  /**
   * The exact query body for the nth task, or one body per task if its file has multiple tasks. The default for the
   * first task is `{"taskId":"t-1"}`.
   */
  query?(task: number): string | readonly string[];
  /** The message that the service returns when it rejects a query whose body doesn't belong to any task. */
  unknown?(body: string): string;
  /** What the service reports about a task at each stage. */
  readonly reports: readonly Stage[];
}

/** A service with an unfamiliar interface, and the steps that a new user takes to make it usable. */
export interface Shape extends ServiceBehavior {
  /** Completes the title "A service becomes usable within a few clicks despite …". */
  readonly what: string;
  /** The name of the nth file. */
  readonly file?: (number: number) => string;
  /** A wrong access key to enter first, if any. */
  readonly firstKey?: string;
  /** The number of files in the first import; 1 by default. */
  readonly files?: number;
  /** The steps to perform. Afterward, all tasks must have the right results. */
  readonly steps: readonly Step[];
  /** Max number of items that the user picks from lists; 3 by default. */
  readonly maxPicks?: number;
}

/** A step that a simulated user takes. */
export type Step =
  /** Clicks this message button. */
  | string
  /** Clicks this message button, and then answers the dialogs with these inputs. */
  | readonly [button: string, ...inputs: Input[]]
  /** Moves all tasks to this stage. */
  | number
  /** Moves each task to its own stage. */
  | readonly number[]
  /** Enters this state expression. */
  | { readonly state: string };
