import { constants } from 'node:os';

/**
 * Has `undo` done when this process ends, however it does (end, exit, uncaught error, or a signal after
 * {@link exitOnSignals}). Gives back a function that does it now instead; either way it is done once.
 * `undo` must be synchronous: nothing else runs in a process that is ending.
 */
export function undoAtExit(undo: () => void): () => void {
  const once = (): void => {
    if (process.listeners('exit').includes(once)) {
      process.removeListener('exit', once);
      undo();
    }
  };
  process.prependListener('exit', once); // what was begun last is undone first
  return once;
}

/** Makes Ctrl+C, SIGTERM and SIGHUP an ordinary exit, so that all that was promised to {@link undoAtExit} is done. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Kept listening to the end: a second signal must not cut the undoing short.
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
