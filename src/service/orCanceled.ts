import { CanceledError } from './errors';

/**
 * Waits for a step, or until `signal` aborts. If the step succeeds after that, its result is passed to `drop`.
 * @throws CanceledError, or the step's own error
 */
export async function orCanceled<T>(
  step: Promise<T>,
  signal: AbortSignal,
  drop: (late: T) => unknown = () => {},
): Promise<T> {
  const { promise: canceled, reject } = Promise.withResolvers<never>();
  const cancel = () => reject(new CanceledError());
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  step.then((result) => signal.aborted && drop(result)).catch(() => {});
  try {
    return await Promise.race([canceled, step]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
