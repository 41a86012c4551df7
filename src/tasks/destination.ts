import type { Destination } from './store/model';

export type { Destination } from './store/model';

/** A map key. Two destinations have the same key only if they are equal. */
export function destinationKey({ dataset, origin }: Destination): string {
  return JSON.stringify([dataset, origin]);
}

/** Whether a destination has the origin of this URL. */
export function isAt({ origin }: Destination, baseUrl: URL): boolean {
  return origin === baseUrl.origin;
}
