import * as v from 'valibot';
import { isStoredEnd } from '../rows/storedShape';
import type { Clock } from '../timing/clock';
import type { Pause, PauseReason } from './gate';

/** A pause as other windows read it, whose clocks that only go forward began at other times. */
export function writePause({ reason, untilMs }: Pause, clock: Clock): string {
  const untilWallMs = Number.isFinite(untilMs) ? clock.now() + untilMs - clock.monotonicMs() : undefined;
  return JSON.stringify({ reason, untilWallMs });
}

/** The pause of another window; undefined where its text cannot be read. */
export function readPause(text: string, clock: Clock): Pause | undefined {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), shape), text);
  if (!read.success) return undefined;
  const { reason, untilWallMs } = read.output;
  const untilMs =
    untilWallMs === undefined ? Number.POSITIVE_INFINITY : untilWallMs - clock.now() + clock.monotonicMs();
  return { reason, untilMs };
}

const reason: v.GenericSchema<PauseReason> = v.variant('kind', [
  v.object({
    kind: v.picklist(['unreachable', 'busy', 'unconfirmed', 'badKey', 'rejections']),
    end: v.custom<Extract<PauseReason, { readonly end: unknown }>['end']>(isStoredEnd),
  }),
  v.object({ kind: v.literal('noTarget'), detail: v.string() }),
  v.object({ kind: v.literal('store') }),
]);
const shape = v.object({ reason, untilWallMs: v.optional(v.number()) });
