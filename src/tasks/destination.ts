import type { Destination } from './store/model';

export type { Destination } from './store/model';

/** A key for maps: equal only for equal destinations. */
export function destinationKey({ dataset, origin }: Destination): string {
  return JSON.stringify([dataset, origin]);
}

/** Whether a destination is at the origin of this URL. */
export function isAt({ origin }: Destination, baseUrl: URL): boolean {
  return origin === baseUrl.origin;
}

/** Whether a destination belongs to a dataset and its current base URL. */
export function isOf(one: Destination, dataset: { readonly name: string; readonly baseUrl: URL }): boolean {
  return one.dataset === dataset.name && isAt(one, dataset.baseUrl);
}
