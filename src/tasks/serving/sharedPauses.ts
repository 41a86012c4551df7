import { type Destination, destinationKey } from '../destination';
import type { LeaseState } from '../leases/leases';
import type { Clock } from '../timing/clock';
import type { ImportPause, WhyPaused } from './importPause';
import type { ServingWindow } from './servingWindow';

/** The shortest pause that the other windows see. */
const SHOWN_PAUSE_MS = 5000;

/** The pauses of destinations as windows see those of each other, whose clocks that only go forward began at other times. */
export class SharedPauses {
  readonly #clock: Clock;
  readonly #serving: Pick<ServingWindow, 'pauseElsewhere' | 'showPause'>;
  /** The destinations whose pause the other windows see, by their keys. */
  readonly #shown = new Set<string>();
  /** The texts of the pauses that other windows show, by destination. */
  #elsewhere = '';

  constructor(clock: Clock, serving: Pick<ServingWindow, 'pauseElsewhere' | 'showPause'>) {
    this.#clock = clock;
    this.#serving = serving;
  }

  /** Whether those of other windows are other ones than when this was last called. */
  haveChanged({ elsewhere }: LeaseState): boolean {
    const before = this.#elsewhere;
    this.#elsewhere = JSON.stringify([...elsewhere]);
    return this.#elsewhere !== before;
  }

  /** The pause of a destination that another window serves; undefined where there is none. */
  elsewhere(destination: Destination): ImportPause | undefined {
    const text = this.#serving.pauseElsewhere(destination);
    if (text == null) return undefined;
    const { reason, untilWallMs } = JSON.parse(text) as ShownPause;
    const waitMs = untilWallMs === undefined ? Number.POSITIVE_INFINITY : untilWallMs - this.#clock.now();
    return { reason, untilMs: this.#clock.monotonicMs() + waitMs };
  }

  /** Shows the other windows the pause of a destination that this one serves, where it is not a short one. */
  show(destination: Destination, pause: ImportPause | undefined): void {
    const key = destinationKey(destination);
    const waitMs = (pause?.untilMs ?? 0) - this.#clock.monotonicMs();
    const isShown = pause !== undefined && waitMs >= SHOWN_PAUSE_MS;
    if (!isShown && !this.#shown.delete(key)) return;
    if (isShown) this.#shown.add(key);
    const untilWallMs = Number.isFinite(waitMs) ? this.#clock.now() + waitMs : undefined;
    this.#serving.showPause(destination, isShown ? JSON.stringify({ reason: pause.reason, untilWallMs }) : null);
  }
}

/** A pause as its window shows it to the others. */
interface ShownPause {
  readonly reason: WhyPaused;
  /** Missing if only the user ends the pause. */
  readonly untilWallMs?: number;
}
