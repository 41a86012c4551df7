import { report } from './report';

/** A separate extension that reports the process ID of the extension host. */
export async function activate(): Promise<void> {
  await report('started');
}
