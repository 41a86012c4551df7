// What the thread of a store runs, but for one death: before it does what is asked, or when it has done that.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { StoreCall, StoreMessage } from '../../../../src/tasks/store/storeThread';

const note = path.join(path.dirname(path.dirname(workerData.path)), 'death');
const port = parentPort;
if (port === null) throw new Error('This is a thread.');

/** The operation that is to be the last one. */
let lastId: number | undefined;

port.on('message', ({ id, operation }: StoreCall) => {
  const [last, when] = deathNote();
  if (operation !== last) return;
  if (when === 'before') die();
  lastId = id;
});
const post = port.postMessage.bind(port);
port.postMessage = (message: StoreMessage) => {
  if ('id' in message && message.id === lastId) die();
  post(message);
};
require('../../../../src/tasks/store/storeProgram');

function deathNote(): string[] {
  try {
    return readFileSync(note, 'utf8').split(' ');
  } catch {
    return [];
  }
}

function die(): never {
  rmSync(note);
  process.exit(1);
}
