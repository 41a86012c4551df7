import type { Pause } from '../sending/gate';
import { type EndedPhase, phaseAfter } from '../trackedTask';

/** Why the imports of a destination wait, as plain data; `end` is how the import ended that showed it. */
export type WhyPaused =
  | {
      readonly kind: 'unreachable' | 'busy' | 'unconfirmed' | 'badKey' | 'rejections';
      readonly end: EndedPhase;
    }
  /** The dataset is unknown here, or its access key is missing or can't be read; `detail` says why, or is empty. */
  | { readonly kind: 'noTarget'; readonly detail: string }
  /** The task database can't be written. */
  | { readonly kind: 'store' };

/** A pause of the imports of a destination, as it is shown. */
export interface ImportPause {
  readonly reason: WhyPaused;
  /** When an import is tried, by the clock's `monotonicMs`: past while it is being tried, Infinity if the user has to act. */
  readonly untilMs: number;
}

export function importPause(pause: Pause | undefined): ImportPause | undefined {
  if (pause === undefined) return undefined;
  const { reason, untilMs } = pause;
  if (reason.kind === 'store' || reason.kind === 'noTarget') return { reason, untilMs };
  const { kind, outcome } = reason;
  return outcome && { reason: { kind, end: phaseAfter(outcome) }, untilMs };
}
