import type { Disposable } from 'vscode';
import type { SharedMarks } from '../../tasks/store/sharedMarks';
import { Polling } from '../../tasks/timing/polling';
import type { AccessKeys } from './accessKeys';

/** Time between two checks. */
const PAUSE_MS = 1000;

/** Updates the views when another window changed a key or a default dataset. Requests do not depend on it. */
export function followMarks(marks: SharedMarks, keys: AccessKeys): Disposable {
  const polling = new Polling(async () => {
    if (marks.haveChanged()) keys.noteChange();
  }, PAUSE_MS);
  polling.start();
  return { dispose: () => polling.stop() };
}
