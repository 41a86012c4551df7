import { constants } from 'node:os';

/**
 * Runs `undo` when this process ends, whether normally or because of an uncaught error. If {@link exitOnSignals} has
 * been called, this also covers signals. Call the returned function to run `undo` earlier. `undo` runs only once, and
 * must be synchronous, because an exiting process doesn't wait.
 */
export function undoAtExit(undo: () => void): () => void {
  const atExit = (): void => {
    try {
      undo();
    } catch (error) {
      // An error here would cancel the exit, and Mocha would hide it.
      console.error(error);
    }
  };
  // Undo the most recent step first.
  process.prependListener('exit', atExit);
  return () => {
    if (!process.listeners('exit').includes(atExit)) return;
    process.removeListener('exit', atExit);
    undo();
  };
}

/** Turns SIGINT, SIGTERM and SIGHUP into a normal exit, so that every function passed to {@link undoAtExit} runs. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // Not `once`: a second signal must not interrupt the exit.
    process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
}
