import { Disposable, type TreeView } from 'vscode';
import type { Services } from '../services/services';
import { announceEnds } from './endAnnouncer';
import { showProblems } from './problemBadge';
import { showRunning } from './runningStatus';

/** Shows how tasks stand without the view: in the status bar, by the badge, and in messages when they end. */
export function registerAnnouncing(
  services: Services & Parameters<typeof announceEnds>[0],
  view: TreeView<unknown>,
): Disposable {
  const onError = (error: unknown) => services.messages.note(`announce: ${error}`);
  return Disposable.from(
    showRunning(services, onError),
    announceEnds(services, onError),
    showProblems(services.list, view, onError),
  );
}
