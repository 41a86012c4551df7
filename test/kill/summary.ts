/** A status report from a window. */
export interface Summary {
  /**
   * `started`: the extension host is activating extensions. `waiting`: the window expects an order in the response to
   * this report. `queued`: all of the order's files are queued. `ended`: all imports have ended.
   */
  readonly event: 'started' | 'waiting' | 'queued' | 'ended';
  readonly pid: number;
}

/** What a window should do. */
export interface Order {
  /** The folder to import. */
  readonly folder: string;
  /** How many rows must exist, across all windows, before the window reports `ended`. */
  readonly tasks: number;
}

/** The only dataset in the settings. Windows send their reports to its URL. */
export const datasetName = 'Kill';
