import type { EventEmitter } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { causeText } from '../../service/errors';
import type { Target } from '../../service/request/requests';
import type { ImportStore } from '../store/importStore';
import type { Destination, DestinationRow, Pause, Served } from '../store/model';
import type { Clock } from '../timing/clock';
import { DestinationLoop, type LoopPorts } from './destinationLoop';
import type { Gate, GatePause, PauseReason } from './gate';

export type TargetChange = 'key' | 'request';

export interface ServingEvents {
  /** Emitted when a row, an upload's progress or a pause has changed. This happens often. */
  change: [];
  /** Emitted at the end of each `Serving.turn`. */
  turn: [Served];
  /** Emitted when imports pause because the service rejected the access key. */
  badKey: [ServedDestination];
  /**
   * Emitted when a pause after repeated rejections ends because the user changed the access key or the request
   * settings.
   */
  rejectionsOver: [DestinationRow, Pause, TargetChange];
  /** Emitted after the store has failed and sending has been paused. */
  fault: [unknown];
  /** Emitted when a window with a newer version of the extension is waiting to take over. */
  outdated: [];
}

export interface ServedPorts extends Pick<LoopPorts, 'service' | 'files' | 'textsFolder' | 'clock' | 'newAttempt'> {
  readonly store: LoopPorts['store'] & Pick<ImportStore, 'pause'>;
  readonly events: EventEmitter<ServingEvents>;
  /** The dataset's target with its access key, or undefined if either is missing. May be slow. */
  findTarget(dataset: string): Promise<Target | undefined>;
  /** The gate shared by a destination's uploads and status checks. */
  gateOf(destination: Destination): Gate;
}

/** A destination that this window serves. */
export class ServedDestination {
  readonly gate: Gate;
  readonly loop: DestinationLoop;
  #target: Promise<Target | undefined> | undefined;
  #lastTarget: Target | undefined;
  /** A pause that an earlier window stored and that only the user can end. Null once it has ended. */
  #restored: Pause | null;
  /** The pause that other windows see, as far as this window knows. Null if the last write failed. */
  #shown: Pause | null;
  #shownOfGate: GatePause | undefined;
  /** The number of pauses that this window has stored. */
  shownPauses = 0;

  /** If this window was the last one to serve the destination, `before` is from that time, and the gate is up to date. */
  constructor(
    private readonly ports: ServedPorts,
    readonly row: DestinationRow,
    isServing: () => boolean,
    before: ServedDestination | undefined,
  ) {
    this.gate = ports.gateOf(row);
    // If nothing was queued, claiming the lease has ended a pause after rejections.
    if (row.pause === null && this.gate.pause?.reason === 'rejections') this.gate.endRejections();
    // If the dataset was renamed, the destination has another gate now.
    if (before?.gate !== this.gate) this.gate.reset(row.brake);
    if (before !== undefined) this.#lastTarget = before.#lastTarget;
    this.#shown = row.pause;
    const isRestored =
      this.gate.pause === undefined && row.pause?.untilMs === null && OUTLASTING.includes(row.pause.reason);
    this.#restored = isRestored ? row.pause : null;
    const [target, onChange] = [() => this.target(), () => this.#onChange()];
    const onFault = (error: unknown) => ports.events.emit('fault', error);
    this.loop = new DestinationLoop({ ...ports, isServing, target, onChange, onFault }, row, this.gate);
    if (isRestored) this.loop.hold();
    // The key may have been replaced while this window didn't serve the destination. If this is the first time, remember
    // the target, because only a different target ends a pause.
    this.targetChanged().catch(onFault);
  }

  /** Why the destination is paused, or null if it isn't. */
  get pause(): Pause | null {
    const { pause } = this.gate;
    return pause === undefined ? this.#restored : storedPause(pause, this.ports.clock);
  }

  /**
   * Returns the target to send files to. Returns undefined if the dataset has moved to a different origin, or if there
   * is no target. In the latter case, also pauses the gate.
   */
  async target(): Promise<Target | undefined> {
    try {
      this.#target ??= this.ports.findTarget(this.row.dataset);
      const target = await this.#target;
      this.#lastTarget ??= target;
      if (target?.baseUrl.origin === this.row.origin) return target;
      if (target === undefined) this.gate.fail('noKey', { name: 'NoKey', detail: '' });
    } catch (error) {
      this.gate.fail('noKey', { name: 'NoKey', detail: causeText(error) });
    }
    this.#target = undefined;
    return undefined;
  }

  /**
   * Call this when the settings or a key have changed. Ends the pause if imports would now be sent or read differently.
   * A missing target doesn't count as a change, and neither does the first target that is found, because the key may be
   * temporarily unreadable. `isFirst` tells whether no other window has reported the end of the same pause.
   */
  async targetChanged(isFirst: () => Promise<boolean> = async () => true): Promise<void> {
    this.#target = undefined;
    const target = await this.ports.findTarget(this.row.dataset).catch(() => undefined);
    if (target === undefined) return;
    // Another call may have handled the same change.
    const [before, pause] = [this.#lastTarget, this.pause];
    this.#lastTarget = target;
    if (before === undefined || isDeepStrictEqual(importPart(before), importPart(target))) return;
    this.gate.reset();
    this.#endRestored();
    const change = before.accessKey === target.accessKey ? 'request' : 'key';
    const isReported = pause !== null && (await isFirst());
    if (isReported && pause.reason === 'rejections') this.ports.events.emit('rejectionsOver', this.row, pause, change);
    this.#goOn();
  }

  /** Ends any pause. Called when the user chooses Try Now. */
  tryNow(): void {
    this.#target = undefined;
    this.gate.tryNow(this.pause);
    this.loop.retryWrites();
    this.#endRestored();
    this.#goOn();
  }

  /** Call this after the user queues something. Tries one file, even during our own backoff. */
  tryOne(): void {
    this.gate.tryOne();
    this.#goOn();
  }

  /**
   * Handles a row from the store. `shownPauses` is the number of pauses that this window had stored when the row was
   * read. If the row's pause has disappeared, the user chose Try Now in another window.
   */
  update(row: DestinationRow, shownPauses: number): void {
    if (shownPauses === this.shownPauses && this.#shown !== null && row.pause === null) {
      this.#shown = null;
      this.tryNow();
    } else if (row.busy) this.loop.wake();
    this.#showPause();
  }

  #goOn(): void {
    this.loop.wake();
    this.#onChange();
  }

  #onChange(): void {
    this.#showPause();
    this.ports.events.emit('change');
  }

  #endRestored(): void {
    if (this.#restored !== null) this.loop.release();
    this.#restored = null;
  }

  #showPause(): void {
    const { pause } = this;
    const ofGate = this.gate.pause;
    const isSame = ofGate?.reason === this.#shownOfGate?.reason && ofGate?.untilMs === this.#shownOfGate?.untilMs;
    // A pause that an earlier window stored may have ended.
    if (isSame && (pause !== null || this.#shown === null)) return;
    this.#shownOfGate = ofGate;
    this.#shown = pause;
    this.shownPauses += 1;
    // If this fails, other windows just won't show why the destination is paused.
    this.ports.store.pause({ destination: this.row.id, pause }).catch(() => {
      this.#shown = null;
    });
    if (pause?.reason === 'badKey') this.ports.events.emit('badKey', this);
  }
}

/** The part of a target that determines how imports are sent and how their rejections are read. */
function importPart({ baseUrl, accessKey, contract: { paths, headers, fileTask, codes } }: Target) {
  return { baseUrl, accessKey, path: paths.fileTask, headers, codes, fileTask: { ...fileTask, taskId: undefined } };
}

/**
 * Pauses for these reasons outlast the window if only the user can end them. Other problems will show up again with the
 * next import.
 */
const OUTLASTING: readonly string[] = ['rejections', 'unconfirmed', 'unreachable'] satisfies PauseReason[];

function storedPause(pause: GatePause, clock: Clock): Pause {
  const inMs = pause.untilMs - clock.monotonicMs();
  return { ...pause, untilMs: Number.isFinite(inMs) ? Math.round(clock.now() + inMs) : null };
}
