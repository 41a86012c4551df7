import { Disposable, type TreeView } from 'vscode';
import type { Services } from '../services/services';
import { announceEnds } from './endAnnouncer';
import { showProblems } from './problemBadge';

/** Shows the badge, and messages when batches end. */
export function registerAnnouncing(
  services: Services & Parameters<typeof announceEnds>[0],
  view: TreeView<unknown>,
): Disposable {
  const onError = (error: unknown) => services.messages.note(`announce: ${error}`);
  return Disposable.from(announceEnds(services, onError), showProblems(services.list, view, onError));
}
