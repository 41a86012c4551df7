import { report } from './report';

/** An extension of its own, which says which process is to be killed. */
export async function activate(): Promise<void> {
  await report('started');
}
