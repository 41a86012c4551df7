/**
 * To which tasks, queued imports and duplicates belong: a dataset's name together with the origin of its base URL, as
 * `URL.origin` gives it. The origin is undefined only for rows that cannot be read.
 */
export interface Destination {
  readonly dataset: string;
  readonly origin: string | undefined;
}

/** The origin that a dataset has now; undefined where there is no such dataset. */
export type OriginOf = (dataset: string) => string | undefined;

/** A key for maps: equal for equal destinations only. */
export function destinationKey({ dataset, origin }: Destination): string {
  return JSON.stringify([dataset, origin ?? null]);
}

/** Whether two destinations, or things that belong to one, are the same. */
export function isSameDestination(one: Destination, other: Destination): boolean {
  return one.dataset === other.dataset && one.origin === other.origin;
}

/** Whether a destination's tasks may be sent to the origin of this URL; one without an origin has any. */
export function isAt({ origin }: Destination, baseUrl: URL): boolean {
  return origin === undefined || origin === baseUrl.origin;
}

/** Whether a task belongs to a dataset at its present base URL. */
export function isOf(task: Destination, dataset: { readonly name: string; readonly baseUrl: URL }): boolean {
  return task.dataset === dataset.name && isAt(task, dataset.baseUrl);
}

/**
 * Remembers what `ask` returns for a destination until the end of this turn of the event loop: thousands of rows are
 * drawn in one turn, and `ask` may read a file.
 */
export function oncePerTurn<Result>(ask: (destination: Destination) => Result): (destination: Destination) => Result {
  const known = new Map<string, Result>();
  return (destination) => {
    const key = destinationKey(destination);
    if (known.size === 0) setImmediate(() => known.clear());
    if (!known.has(key)) known.set(key, ask(destination));
    return known.get(key) as Result;
  };
}
