// The worker that `Files` starts.
import { parentPort } from 'node:worker_threads';
import { answerCalls } from '../workerCalls';
import { fileOperations } from './fileOperations';

if (parentPort !== null) answerCalls(parentPort, perform, (error) => error, transferOf);

async function perform(operation: string, args: unknown): Promise<unknown> {
  const call = fileOperations[operation as keyof typeof fileOperations] as (...args: unknown[]) => Promise<unknown>;
  return call(...(args as unknown[]));
}

/** Returns the buffers of small files, so that they can be transferred between threads instead of being copied. */
function transferOf(result: unknown): readonly ArrayBuffer[] {
  return Array.isArray(result) ? result.flatMap((one) => one?.bytes?.buffer ?? []) : [];
}
