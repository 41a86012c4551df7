/** A report of a window about itself. */
export interface Summary {
  /**
   * `started`: the extension host activates extensions. `waiting`: the window waits for an order, which is the response.
   * `queued`: all files of the order are queued. `ended`: all imports have ended.
   */
  readonly event: 'started' | 'waiting' | 'queued' | 'ended';
  readonly pid: number;
}

/** What a window shall do. */
export interface Order {
  /** The folder to import. */
  readonly folder: string;
  /** Whether to open the Tasks view. */
  readonly isViewOpen: boolean;
  /** How many rows of all windows must exist before the window reports `ended`. */
  readonly tasks: number;
}

/** The dataset in the settings. Windows report to its service. */
export const datasetName = 'Kill';
