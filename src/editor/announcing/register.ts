import { Disposable } from 'vscode';
import type { Askable } from '../../tasks/following/whyNotAsked';
import { EndAnnouncer, type EndAnnouncerDeps } from './endAnnouncer';
import { ProblemBadge, type ProblemBadgeDeps } from './problemBadge';
import { RunningStatus } from './runningStatus';

/** Tells how tasks stand without the view: in the status bar, by the badge, and in messages when they end. */
export function registerAnnouncing(deps: EndAnnouncerDeps & ProblemBadgeDeps & Askable): Disposable {
  return Disposable.from(new RunningStatus(deps), new EndAnnouncer(deps), new ProblemBadge(deps));
}
