import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import type { Input } from '../scriptedUser';
import type { ReceivedImport } from './shapeService';

/** The JSON that a service returns for its task at one stage, and the task's true state at that stage. */
export type Stage = readonly [data: string | ((query: string) => string), truth: KnownMeaning];

/** How a service responds. */
export interface ServiceBehavior {
  /** Returns why the service rejects an import, or undefined if the service accepts it. */
  missing?(received: ReceivedImport): string | undefined;
  /** The JSON `data` in file-task's response; `{"taskId":"t-1"}` by default. */
  readonly importData?: string;
  /** The exact query body, or one body per task if the file has multiple tasks; `{"taskId":"t-1"}` by default. */
  readonly query?: string | readonly string[];
  /** The message that the service returns when it rejects any other query body. */
  readonly unknown?: string;
  /** What the service reports about the task at each stage. */
  readonly reports: readonly Stage[];
}

/** A service with an unfamiliar interface, and the steps that a new user takes to make it usable. */
export interface Shape extends ServiceBehavior {
  /** Completes the title "A service becomes usable within a few clicks despite …". */
  readonly what: string;
  /** The name of the imported file. */
  readonly file?: string;
  /** The steps to perform. Afterward, the file must have the right result. */
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
  /** Moves the task to this stage. */
  | number
  /** Enters this state expression. */
  | { readonly state: string };
