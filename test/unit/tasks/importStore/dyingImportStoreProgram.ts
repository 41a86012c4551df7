// The store's program, which ends between commit and answer: once, or each time if the window's id says so.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreSetup } from '../../../../src/tasks/importStore/importStoreProgram';

const { path, window } = workerData as StoreSetup;
const diesAt = `${path}.died`;
if (parentPort !== null) {
  const post = parentPort.postMessage.bind(parentPort);
  parentPort.postMessage = (message: unknown) => {
    if (existsSync(diesAt) && window.id !== 'always') return post(message);
    writeFileSync(diesAt, '');
    process.exit(1);
  };
}
require('../../../../src/tasks/importStore/importStoreProgram');
