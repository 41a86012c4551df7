import { Files } from '../../../src/tasks/sending/files';

/** The thread that reads files, one for all tests of a process. */
export const sharedFiles = new Files();
