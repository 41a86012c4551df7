import { l10n } from 'vscode';
import { type Dataset, SANDBOX_NAME } from '../../service/contract/dataset';
import type { Destination } from '../../tasks/destination';
import { commandTitle } from '../platform/commandTitle';
import { type Action, commandAction, UserError } from '../platform/userError';
import type { Services } from '../services';
import type { Datasets } from './datasets';
import { formatDatasetFault } from './formatFaults';
import { whyNotServed } from './whyNotServed';

/**
 * The current dataset of the clicked row; undefined where the target is no dataset.
 * @throws UserError where the dataset no longer exists
 */
export function givenDataset({ datasets }: Pick<Services, 'datasets'>, target: unknown): Dataset | undefined {
  const name: unknown = (target as { dataset?: { name?: unknown } | null } | null | undefined)?.dataset?.name;
  if (typeof name !== 'string') return undefined;
  const dataset = datasets.find(name);
  if (dataset !== undefined) return dataset;
  assertNoFault(datasets, name);
  throw new UserError(l10n.t("Dataset '{0}' no longer exists.", name));
}

/** @throws UserError if the entry of this name in the settings has a fault */
export function assertNoFault({ faults }: Datasets, name: string): void {
  const fault = faults.find(({ dataset }) => dataset === name);
  if (fault !== undefined) throw new UserError(formatDatasetFault(fault), [openDatasetSettingsAction()]);
}

/** The dataset of this name. @throws UserError where it no longer exists */
export function datasetNamed(services: Pick<Services, 'datasets' | 'sandbox'>, name: string): Dataset {
  const dataset = services.datasets.find(name);
  if (dataset !== undefined) return dataset;
  if (name === SANDBOX_NAME) {
    throw new UserError(l10n.t('The sandbox is stopped. Its tasks are gone.'), [
      { label: commandTitle('startSandbox'), run: () => services.sandbox.start() },
    ]);
  }
  assertNoFault(services.datasets, name);
  throw new UserError(l10n.t("Dataset '{0}' no longer exists, so its tasks cannot be checked.", name), [
    addDatasetAction(),
  ]);
}

/** The button that adds a dataset. */
export function addDatasetAction(): Action {
  return commandAction(commandTitle('addDataset'), 'addDataset');
}

/** The button that tests the connection to a dataset. */
export function testConnectionAction(dataset: Dataset): Action {
  return commandAction(commandTitle('testConnection'), 'testConnection', { dataset });
}

/** The button that opens the datasets in settings.json. */
export function openDatasetSettingsAction(): Action {
  return commandAction(commandTitle('openDatasetSettings'), 'openDatasetSettings');
}

/** The button that imports files to a dataset; none where they would go to another one, which is the default. */
export function importFilesActions({ datasets }: Pick<Services, 'datasets'>, dataset: Dataset): Action[] {
  if (datasets.default !== undefined && datasets.default.name !== dataset.name) return [];
  return [commandAction(commandTitle('importFiles'), 'importFiles')];
}

/** The dataset of a destination. @throws UserError where it no longer exists, or has another origin now */
export function datasetAt(
  services: Pick<Services, 'datasets' | 'keys' | 'sandbox'>,
  destination: Destination,
): Dataset {
  const why = whyNotServed(services, destination);
  if (why?.kind === 'sandboxStopped') {
    throw new UserError(l10n.t('This task belongs to a sandbox that does not run in this window.'));
  }
  const dataset = datasetNamed(services, destination.dataset);
  if (why?.kind !== 'moved') return dataset;
  throw new UserError(
    l10n.t(
      "This task belongs to {0}, and dataset '{1}' has moved to {2}. Change the base URL back to continue.",
      hostOf(destination.origin),
      dataset.name,
      why.host,
    ),
    [openDatasetSettingsAction()],
  );
}

/** The host of an origin; empty where the origin is unknown. */
export function hostOf(origin: string | undefined): string {
  return URL.parse(origin ?? '')?.host ?? '';
}
