import { report } from './report';

/** A separate extension that reports the extension host's process ID. */
export async function activate(): Promise<void> {
  await report('started');
}
