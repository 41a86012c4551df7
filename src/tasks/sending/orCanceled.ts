import { CanceledError } from '../../service/errors';

/**
 * Waits for a step, or until `signal` aborts: then it throws CanceledError, and a result that comes later is passed to
 * `drop`. @throws CanceledError, or what the step throws
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
