import { Files } from '../../../src/tasks/sending/files';

/** The worker that reads files, shared by all tests of a process. */
export const sharedFiles = new Files();
