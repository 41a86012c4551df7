// What the thread of a store runs, where no thread can be had.
import { isMainThread } from 'node:worker_threads';

if (!isMainThread) throw new Error('There is no thread here.');
module.exports = require('../../../../src/tasks/store/storeProgram');
