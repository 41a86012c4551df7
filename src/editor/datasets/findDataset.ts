import { l10n } from 'vscode';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import { type Destination, isAt } from '../../tasks/store/model';
import { commandAction, UserError } from '../platform/actions';
import type { Services } from '../services';
import type { WhyNotServed, WhyWaits } from '../wording/causes';
import type { Datasets } from './datasets';
import { faultError } from './formatFaults';

/** A dataset's row. Buttons and links also pass this type to commands. */
export interface DatasetNode {
  readonly dataset: Dataset;
}

export function isDatasetNode(value: unknown): value is DatasetNode {
  const dataset: unknown = (value as Partial<DatasetNode> | null | undefined)?.dataset;
  return typeof (dataset as Partial<Dataset> | null | undefined)?.name === 'string';
}

/** The row's dataset with its current settings. @throws UserError if it no longer exists or is invalid */
export function givenDataset(services: Pick<Services, 'datasets'>, node: DatasetNode | undefined): Dataset | undefined {
  return node && datasetNamed(services, node.dataset.name);
}

/** @throws UserError if the entry with this name in the settings is invalid */
export function assertNoFault({ faults }: Datasets, name: string): void {
  const fault = faults.find(({ dataset }) => dataset === name);
  if (fault !== undefined) throw faultError(fault);
}

/** @throws UserError if the dataset no longer exists or is invalid */
export function datasetNamed({ datasets }: Pick<Services, 'datasets'>, name: string): Dataset {
  const dataset = datasets.find(name);
  if (dataset !== undefined) return dataset;
  if (name === SANDBOX_NAME) {
    const message = l10n.t('The sandbox does not run in this window. When a sandbox stops, its tasks no longer exist.');
    throw new UserError(message, [commandAction('startSandbox')]);
  }
  assertNoFault(datasets, name);
  throw new UserError(l10n.t("Dataset '{0}' no longer exists.", name), [commandAction('addDataset')]);
}

/** A destination's dataset. @throws UserError if it no longer exists or now has a different origin */
export function datasetAt(services: Pick<Services, 'datasets'>, destination: Destination): Dataset {
  const dataset = datasetNamed(services, destination.dataset);
  if (isAt(destination, dataset.baseUrl)) return dataset;
  if (services.datasets.isSandbox(dataset))
    throw new UserError(l10n.t('This task belongs to a sandbox that was stopped or is running in another window.'));
  const message = l10n.t(
    "This task belongs to {0}, and dataset '{1}' has moved to {2}. Change the base URL back to continue.",
    URL.parse(destination.origin)?.host ?? '',
    dataset.name,
    dataset.baseUrl.host,
  );
  throw new UserError(message, [commandAction('openDatasetSettings')]);
}

/** Returns the reason this window can't serve a destination, or undefined if it can. Doesn't read any access keys. */
export function whyNotServed(
  { datasets, keys }: Pick<Services, 'datasets' | 'keys'>,
  destination: Destination,
): WhyNotServed | undefined {
  const dataset = datasets.find(destination.dataset);
  if (dataset !== undefined && isAt(destination, dataset.baseUrl))
    return keys.lacks(dataset) ? { reason: 'noKey' } : undefined;
  if (destination.dataset === SANDBOX_NAME) return { reason: 'sandboxStopped' };
  if (dataset !== undefined) return { reason: 'moved', host: dataset.baseUrl.host };
  return { reason: datasets.faults.some((fault) => fault.dataset === destination.dataset) ? 'faulty' : 'removed' };
}

/** Returns the reason a destination's uploads or status checks wait, or undefined if they don't. */
export function whyWaits(services: Pick<Services, 'datasets' | 'keys' | 'serving'>, id: number): WhyWaits | undefined {
  const { serving } = services;
  const row = serving.destinations.find((one) => one.id === id);
  // If another window serves the destination, it doesn't matter whether this window could.
  const isOwn = row !== undefined && (row.window === null || serving.isServing(id));
  return (isOwn ? whyNotServed(services, row) : undefined) ?? serving.pauseOf(id) ?? undefined;
}
