/** What a window says of itself. */
export interface Summary {
  /**
   * Its extension host has begun to activate extensions; it waits for an {@link Order}, which is the answer; all that
   * it was to import is in its queue; all imports that it knows have ended.
   */
  readonly event: 'started' | 'waiting' | 'queued' | 'ended';
  readonly pid: number;
}

/** What a window is to do. */
export interface Order {
  /** The folder whose files it imports. */
  readonly folder: string;
  /** Whether the view Tasks is open meanwhile. */
  readonly isViewOpen: boolean;
  /** How many tasks it must know of before it says that all have ended, its own and those of other windows. */
  readonly tasks: number;
}

/** The dataset in the windows' settings; its service is the one to which they report what they do. */
export const datasetName = 'Kill';
