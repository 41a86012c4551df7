import type { Disposable } from 'vscode';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
import { Polling } from '../../tasks/timing/polling';
import type { AccessKeys } from './accessKeys';

/** How often is looked whether another window has changed a key or a default. */
const PAUSE_MS = 1000;

/** Shows in this window what another one has changed. Nothing relies on it: whoever uses a key looks at its mark first. */
export function followMarks(marks: SharedMarks, keys: AccessKeys): Disposable {
  const polling = new Polling(async () => {
    if (marks.haveChanged()) keys.noteChange();
  }, PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
