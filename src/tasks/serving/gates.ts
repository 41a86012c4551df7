import { type Destination, destinationKey } from '../destination';
import { Gate } from '../sending/gate';
import type { Clock } from '../timing/clock';

/** The gates of all destinations. */
export class Gates {
  readonly #make: () => Gate;
  readonly #gates = new Map<string, Gate>();

  /** `allowed` is how many imports of a destination may be in flight at once. */
  constructor(clock: Clock, allowed: () => number = () => 1) {
    this.#make = () => new Gate({ clock, allowed });
  }

  of(destination: Destination): Gate {
    const key = destinationKey(destination);
    const gate = this.#gates.get(key) ?? this.#make();
    this.#gates.set(key, gate);
    return gate;
  }
}
