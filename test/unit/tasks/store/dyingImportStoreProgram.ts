// The store's program, modified to die after a commit but before it replies. The window ID determines which reply is
// lost: it is the index of that reply, or "always" to lose every reply.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreSetup } from '../../../../src/tasks/store/importStoreProgram';

const { path, window } = workerData as StoreSetup;
const diesAt = `${path}.died`;
let answers = 0;
if (parentPort !== null) {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message: unknown) => {
    const dies = window.id === 'always' || (answers++ === Number(window.id) && !existsSync(diesAt));
    if (!dies) return post(message);
    writeFileSync(diesAt, '');
    process.exit(1);
  };
}
require('../../../../src/tasks/store/importStoreProgram');
