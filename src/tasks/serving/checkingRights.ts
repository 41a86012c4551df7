import { destinationKey } from '../destination';
import type { CheckingRights, Follower } from '../following/follower';
import type { LeaseState } from '../leases/leases';
import type { ServingWindow } from './servingWindow';

/** The leases of the old store decide which window checks a destination. */
export function checkingRights(serving: ServingWindow): CheckingRights & { connect(follower: Follower): void } {
  let state: LeaseState | undefined;
  return {
    untilMs: (destination) =>
      state?.held.has(destinationKey(destination)) && serving.canAsk(destination)
        ? state.heldUntilMs
        : Number.NEGATIVE_INFINITY,
    isElsewhere: (destination) => serving.pauseElsewhere(destination) !== undefined,
    readAgain: (destination) => serving.forgetKeys(destination),
    connect: (follower) =>
      void serving.events.on('turn', (now) => {
        state = now;
        follower.onTurn();
      }),
  };
}
