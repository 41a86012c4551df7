import { CanceledError } from '../../service/errors';

/**
 * Waits for a step, but no longer than until `signal` aborts. What the step gives after that goes to `drop`. @throws
 * CanceledError where that was first, or what the step throws
 */
export function orCanceled<T>(
  step: Promise<T>,
  signal: AbortSignal,
  drop: (late: T) => unknown = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let isCanceled = signal.aborted;
    const cancel = () => {
      isCanceled = true;
      reject(new CanceledError());
    };
    if (isCanceled) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    step.then(
      (result) => {
        signal.removeEventListener('abort', cancel);
        isCanceled ? drop(result) : resolve(result);
      },
      (error: unknown) => {
        signal.removeEventListener('abort', cancel);
        reject(error);
      },
    );
  });
}
