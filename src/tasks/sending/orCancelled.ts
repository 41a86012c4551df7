import { CancelledError } from '../../service/errors';

/**
 * Waits for a step, but no longer than until `signal` aborts. What the step gives after that goes to `drop`.
 * @throws CancelledError where that was first, or what the step throws
 */
export function orCancelled<T>(
  step: Promise<T>,
  signal: AbortSignal,
  drop: (late: T) => unknown = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isCancelled = signal.aborted;
    const cancel = () => {
      isCancelled = true;
      reject(new CancelledError());
    };
    if (isCancelled) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    step.then(
      (result) => {
        signal.removeEventListener('abort', cancel);
        isCancelled ? drop(result) : resolve(result);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', cancel);
        reject(error);
      },
    );
  });
}
