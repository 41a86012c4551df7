import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { type Destination, isAt } from '../destination';
import { isOpen, type TrackedTask } from '../trackedTask';
import type { ImportPause } from './importPause';

/** Why a task cannot be queried. */
export type WhyNotAsked =
  /** There is no dataset of that name. */
  | { readonly kind: 'removed' }
  /** The dataset has a fault in the settings. */
  | { readonly kind: 'faulty' }
  /** The dataset's base URL has another origin now. */
  | { readonly kind: 'moved'; readonly host: string }
  | { readonly kind: 'noKey' }
  /** The sandbox does not run in this window. */
  | { readonly kind: 'sandboxStopped' };

/** Why a task does not go on: its import is paused, or its destination cannot be asked. */
export type WhyWaits = WhyNotAsked | { readonly kind: 'paused'; readonly pause: ImportPause };

/** What decides whether a destination can be queried; none of it waits for anything. */
export interface Askable {
  readonly datasets: { find(name: string): Dataset | undefined; hasFault(name: string): boolean };
  /** Whether a dataset is known to have no access key. */
  readonly keys: { lacks(dataset: Dataset): boolean };
}

/** What is known of destinations: why they cannot be asked, and why their imports are paused. */
export interface DestinationStates {
  whyNotAsked(destination: Destination): WhyNotAsked | undefined;
  pauseOf(destination: Destination): ImportPause | undefined;
}

/** Why a task does not go on at present; undefined where it does, as far as is known. */
export function whyWaits({ whyNotAsked, pauseOf }: DestinationStates, task: TrackedTask): WhyWaits | undefined {
  const why = whyNotAsked(task);
  const pause = why === undefined && isOpen(task.phase) ? pauseOf(task) : undefined;
  return pause === undefined ? why : { kind: 'paused', pause };
}

/** What is known of the destinations of a window. */
export function destinationStates(
  askable: Askable & { readonly queue: Pick<DestinationStates, 'pauseOf'> },
): DestinationStates {
  return {
    whyNotAsked: (destination) => whyNotAsked(askable, destination),
    pauseOf: (destination) => askable.queue.pauseOf(destination),
  };
}

/** Why a destination cannot be asked at present; undefined where it can, as far as is known. */
export function whyNotAsked({ datasets, keys }: Askable, destination: Destination): WhyNotAsked | undefined {
  const dataset = datasets.find(destination.dataset);
  if (dataset !== undefined && isAt(destination, dataset.baseUrl))
    return keys.lacks(dataset) ? { kind: 'noKey' } : undefined;
  if (destination.dataset === SANDBOX_NAME) return { kind: 'sandboxStopped' };
  if (dataset !== undefined) return { kind: 'moved', host: dataset.baseUrl.host };
  return { kind: datasets.hasFault(destination.dataset) ? 'faulty' : 'removed' };
}
