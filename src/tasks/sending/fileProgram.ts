// What a FileThread runs: calls the operation that a message names, and posts its result.
import { parentPort } from 'node:worker_threads';
import { causeText, SourceError } from '../../service/errors';
import { fileOperations } from './fileOperations';
import type { FileCall, FileMessage, SourceFault } from './fileThread';

const post = (message: FileMessage, transfer: readonly ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transfer);

parentPort?.on('message', (call: FileCall) => {
  const { id } = call;
  resultOf(call).then(
    ({ result, transfer }) => post({ id, result }, transfer),
    (error: unknown) => post(error instanceof SourceError ? { id, fault: faultOf(error) } : { id, error }),
  );
});

/** The result as plain data; an error of the class SourceError would come as another one. */
async function resultOf(
  call: FileCall,
): Promise<{ readonly result: unknown; readonly transfer?: readonly ArrayBuffer[] }> {
  switch (call.operation) {
    case 'check': {
      const checked = await fileOperations.check(...call.args);
      return { result: checked.map((one) => (one instanceof SourceError ? { fault: faultOf(one) } : one)) };
    }
    case 'read': {
      const result = await fileOperations.read(...call.args);
      return { result, transfer: result === undefined ? [] : [result.bytes.buffer as ArrayBuffer] };
    }
    case 'look':
      return { result: await fileOperations.look(...call.args) };
    case 'sha256':
      return { result: await fileOperations.sha256(...call.args) };
  }
}

function faultOf({ reason, fileName, cause }: SourceError): SourceFault {
  return { reason, fileName, cause: cause === undefined ? undefined : causeText(cause) };
}
