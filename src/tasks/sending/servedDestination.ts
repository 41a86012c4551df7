import { isDeepStrictEqual } from 'node:util';
import { causeText } from '../../service/errors';
import type { Target } from '../../service/request/requests';
import type { Destination, DestinationRow, Pause } from '../store/model';
import type { Clock } from '../timing/clock';
import { DestinationLoop, type LoopPorts } from './destinationLoop';
import type { Gate, GatePause, PauseReason } from './gate';

/** The longest pause that the user needn't be told about. */
const SHORT_PAUSE_MS = 10_000;

/** What the user changed of a dataset. */
export type TargetChange = 'key' | 'request';

export interface ServedPorts extends Omit<LoopPorts, 'isServing' | 'target' | 'onChange'> {
  /** The dataset's target with its access key; undefined if there is no such dataset or no key. May be slow. */
  findTarget(dataset: string): Promise<Target | undefined>;
  /** Shared with the status checks. */
  gateOf(destination: Destination): Gate;
  /** Shows the other windows why a destination sends nothing. */
  showPause(destination: number, pause: Pause | null): Promise<unknown>;
  onChange(): void;
  /** The destination pauses for longer than a moment, or until the user acts. Called once, until imports go on. */
  onPaused(destination: DestinationRow, pause: Pause): void;
  /** Imports paused because this rejection repeated, and the user has changed the access key or the request since. */
  onRejectionsOver(destination: DestinationRow, pause: Pause, change: TargetChange): void;
}

/** A destination that this window serves: its gate, its loop, and where to send. */
export class ServedDestination {
  readonly row: DestinationRow;
  readonly gate: Gate;
  readonly loop: DestinationLoop;
  readonly #ports: ServedPorts;
  #target: Promise<Target | undefined> | undefined;
  #lastTarget: Target | undefined;
  /** The pause of a former window that only the user ends; null once that happened. */
  #restored: Pause | null;
  /** The pause as the other windows see it. */
  #shown: Pause | null;
  #shownOfGate: GatePause | undefined;
  #writes = 0;
  #isReported = false;

  /** `isKnown`: this window served it last, so what its gate knows still holds. */
  constructor(ports: ServedPorts, row: DestinationRow, isServing: () => boolean, isKnown: boolean) {
    this.row = row;
    this.#ports = ports;
    this.gate = ports.gateOf(row);
    if (!isKnown) this.gate.reset(row.brake);
    this.#shown = row.pause;
    const isRestored = this.gate.pause === undefined && row.pause !== null && outlasts(row.pause);
    this.#restored = isRestored ? row.pause : null;
    const onChange = () => this.#onChange();
    this.loop = new DestinationLoop({ ...ports, isServing, target: () => this.target(), onChange }, row, this.gate);
    if (!isRestored) return;
    this.loop.hold();
    // Other settings may change: only another target ends the pause.
    ports.findTarget(row.dataset).then(
      (target) => {
        this.#lastTarget ??= target;
      },
      () => {},
    );
  }

  /** Why nothing is sent; null while imports go on. */
  get pause(): Pause | null {
    const { pause } = this.gate;
    return pause === undefined ? this.#restored : storedPause(pause, this.#ports.clock);
  }

  /** Where to send. Undefined if the dataset has moved, or has no target: then the gate is paused. */
  async target(): Promise<Target | undefined> {
    const { dataset, origin } = this.row;
    try {
      this.#target ??= this.#ports.findTarget(dataset);
      const target = await this.#target;
      this.#lastTarget = target ?? this.#lastTarget;
      if (target?.baseUrl.origin === origin) return target;
      if (target === undefined) this.gate.fail('noTarget', { name: 'NoTarget', detail: '' });
    } catch (error) {
      this.gate.fail('noTarget', { name: 'NoTarget', detail: causeText(error) });
    }
    this.#target = undefined;
    return undefined;
  }

  /** The settings or a key have changed. Starts over if they are this destination's. */
  async targetChanged(): Promise<void> {
    const before = this.#lastTarget;
    const pause = this.pause;
    this.#target = undefined;
    const target = await this.#ports.findTarget(this.row.dataset).catch(() => undefined);
    if (isDeepStrictEqual(before, target)) return;
    this.gate.reset();
    this.#endRestored();
    const change = before?.accessKey === target?.accessKey ? 'request' : 'key';
    if (pause?.reason === 'rejections' && target !== undefined) this.#ports.onRejectionsOver(this.row, pause, change);
    this.#goOn();
  }

  /** The user wants it tried now, whatever the pause. */
  tryNow(): void {
    this.#target = undefined;
    this.#endRestored();
    this.gate.tryNow();
    this.#goOn();
  }

  /** The user has just queued something here: it is tried even during our own backoff. */
  tryOne(): void {
    this.gate.tryOne();
    this.#goOn();
  }

  /** How many pauses were shown so far: what another window stores later is an answer to them. */
  get shownPauses(): number {
    return this.#writes;
  }

  /** Takes in the row as it was read when so many pauses were shown. A pause that is gone was ended by the user. */
  update(row: DestinationRow, shownPauses: number): void {
    const isCurrent = shownPauses === this.#writes;
    if (isCurrent && this.#shown !== null && row.pause === null) {
      this.#shown = null;
      this.tryNow();
    } else if (row.busy) this.loop.wake();
    this.#showPause();
  }

  #goOn(): void {
    this.#isReported = false;
    this.loop.wake();
    this.#onChange();
  }

  #onChange(): void {
    this.#showPause();
    this.#ports.onChange();
  }

  #endRestored(): void {
    if (this.#restored !== null) this.loop.release();
    this.#restored = null;
  }

  #showPause(): void {
    const ofGate = this.gate.pause;
    if (ofGate?.reason === this.#shownOfGate?.reason && ofGate?.untilMs === this.#shownOfGate?.untilMs) return;
    this.#shownOfGate = ofGate;
    const { pause } = this;
    this.#shown = pause;
    this.#writes += 1;
    // If this fails, the other windows show no reason.
    this.#ports.showPause(this.row.id, pause).catch(() => {
      this.#shown = null;
    });
    if (pause === null) this.#isReported = false;
    const isLong = ofGate !== undefined && this.gate.waitMs > SHORT_PAUSE_MS;
    if (pause === null || !isLong || this.#isReported) return;
    this.#isReported = true;
    this.#ports.onPaused(this.row, pause);
  }
}

/** Reasons of pauses that outlast the window if only the user ends them; any other one is found again by one import. */
const OUTLASTING: readonly string[] = ['rejections', 'unconfirmed', 'unreachable'] satisfies PauseReason[];

function outlasts({ reason, untilMs }: Pause): boolean {
  return untilMs === null && OUTLASTING.includes(reason);
}

function storedPause(pause: GatePause, clock: Clock): Pause {
  const inMs = pause.untilMs - clock.monotonicMs();
  return { ...pause, untilMs: Number.isFinite(inMs) ? Math.round(clock.now() + inMs) : null };
}
