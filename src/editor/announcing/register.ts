import { Disposable, type TreeView } from 'vscode';
import type { Services } from '../services/services';
import { type AnnouncedTasks, EndAnnouncer } from './endAnnouncer';
import { ProblemBadge } from './problemBadge';
import { RunningStatus } from './runningStatus';

/** Tells how tasks stand without the view: in the status bar, by the badge, and in messages when they end. */
export function registerAnnouncing(services: Services, announced: AnnouncedTasks, view: TreeView<unknown>): Disposable {
  const { list, messages } = services;
  const onError = (error: unknown) => messages.note(`announce: ${error}`);
  return Disposable.from(
    new RunningStatus(services, onError),
    new EndAnnouncer(list, announced, onError),
    new ProblemBadge(list, view, onError),
  );
}
