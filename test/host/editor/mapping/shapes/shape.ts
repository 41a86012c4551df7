import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import type { ReceivedImport } from './shapeService';
import type { ShapeWalk } from './shapeWalk';

/** What a service says of a task at a stage, as JSON, and what that means in truth. */
export type Stage = readonly [data: string | ((task: number, query: string) => string), truth: KnownMeaning];

/** How a service speaks. */
export interface Speech {
  /** Why it rejects an import; undefined where nothing lacks. */
  lacks?(received: ReceivedImport): string | undefined;
  /** The `data` of file-task's response for the n-th task, as JSON. */
  begins(task: number): string;
  /** The body by which it knows the n-th task, to the byte; several where the file has several tasks. */
  query(task: number): string | readonly string[];
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
  /** From the dataset that was just added to tasks that are at their right ends. */
  walk(user: ShapeWalk): Promise<void>;
  /** What the walk took before: picks of values and meanings, and edits of the request. */
  readonly before: { readonly picks: number; readonly edits: number };
}
