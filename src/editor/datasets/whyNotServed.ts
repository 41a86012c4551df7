import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { type Destination, isAt } from '../../tasks/destination';
import type { WhyNotServed } from '../wording/causes';

/** What decides whether a destination can be served. None of it waits for anything. */
interface Deciding {
  readonly datasets: { find(name: string): Dataset | undefined; hasFault(name: string): boolean };
  /** Whether a dataset is known to have no access key. */
  readonly keys: { lacks(dataset: Dataset): boolean };
}

/** Why this window can't serve a destination; undefined if it can, as far as is known. */
export function whyNotServed({ datasets, keys }: Deciding, destination: Destination): WhyNotServed | undefined {
  const dataset = datasets.find(destination.dataset);
  if (dataset !== undefined && isAt(destination, dataset.baseUrl))
    return keys.lacks(dataset) ? { kind: 'noKey' } : undefined;
  if (destination.dataset === SANDBOX_NAME) return { kind: 'sandboxStopped' };
  if (dataset !== undefined) return { kind: 'moved', host: dataset.baseUrl.host };
  return { kind: datasets.hasFault(destination.dataset) ? 'faulty' : 'removed' };
}
