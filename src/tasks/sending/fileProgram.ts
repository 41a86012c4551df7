// The worker of a FileThread.
import { parentPort } from 'node:worker_threads';
import type { WholeFile } from '../../service/content/hashing';
import { causeText, SourceError } from '../../service/errors';
import { answerCalls } from '../workerCalls';
import { type FileOperations, fileOperations } from './fileOperations';
import type { SourceFault } from './fileThread';

if (parentPort !== null) answerCalls(parentPort, perform, asData, transferOf);

async function perform(operation: string, args: unknown): Promise<unknown> {
  const call = fileOperations[operation as keyof FileOperations] as (...args: unknown[]) => Promise<unknown>;
  const result = await call(...(args as unknown[]));
  return operation === 'check' ? (result as unknown[]).map(asData) : result;
}

function asData(result: unknown): unknown {
  if (!(result instanceof SourceError)) return result;
  const { reason, fileName, cause } = result;
  return {
    fault: { reason, fileName, cause: cause === undefined ? undefined : causeText(cause) },
  } satisfies SourceFault;
}

/** The bytes of a file that was read whole. */
function transferOf(result: unknown): readonly ArrayBuffer[] {
  const { bytes } = (result ?? {}) as Partial<WholeFile>;
  return bytes === undefined ? [] : [bytes.buffer as ArrayBuffer];
}
