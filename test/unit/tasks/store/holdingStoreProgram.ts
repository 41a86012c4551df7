// What the thread of a store runs, except that a transaction is open all the time.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

const db = new DatabaseSync(workerData.path);
db.exec('BEGIN IMMEDIATE');
// Otherwise the collector could close the connection.
Object.assign(globalThis, { db });
require('../../../../src/tasks/store/storeProgram');
