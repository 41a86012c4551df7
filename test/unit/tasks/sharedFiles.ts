import { Files } from '../../../src/tasks/sending/files';

/** The worker that reads files, shared by all tests in a process. */
export const sharedFiles = new Files();
