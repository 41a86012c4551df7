import { l10n, type QuickPickItem, window } from 'vscode';
import type { Dataset } from '../service/dataset';
import type { Target } from '../service/requests';
import type { AccessKeys } from './accessKeys';
import { addDataset } from './commands/addDataset';
import { type Datasets, targetOf } from './datasets';
import { isDatasetNode } from './datasetsTree';
import { enterAccessKey } from './enterAccessKey';
import { plainText } from './plainText';
import type { SandboxHost } from './sandboxHost';
import { UserError } from './userError';

/** A dataset whose service can be asked. */
export interface Destination {
  readonly dataset: string;
  readonly target: Target;
}

/** What choosing a dataset may take: there may be none yet, or one without a key. */
export interface ChooseDeps {
  readonly datasets: Datasets;
  readonly keys: AccessKeys;
  readonly sandbox: SandboxHost;
}

type Choice = QuickPickItem & { choose(): Promise<Dataset | undefined> };

/** The dataset that a command was given, or the default, or the one that the user picks or adds. */
export async function chooseDataset(deps: ChooseDeps, target: unknown, title: string): Promise<Dataset | undefined> {
  if (isDatasetNode(target)) return target.dataset;
  return deps.datasets.default ?? pickDataset(deps, title);
}

/** Asks which dataset; leads to adding one, or to the sandbox, where there is none. */
export async function pickDataset(deps: ChooseDeps, title: string): Promise<Dataset | undefined> {
  const { datasets, sandbox } = deps;
  const known = datasets.all.map(
    (dataset): Choice => ({
      label: `$(${datasets.isSandbox(dataset) ? 'beaker' : 'database'}) ${plainText(dataset.name)}`,
      description: dataset.baseUrl.host,
      choose: async () => dataset,
    }),
  );
  const add: Choice = {
    label: `$(add) ${l10n.t('Add Dataset…')}`,
    detail: l10n.t('You need the base URL of the service and the Access-Key of the dataset.'),
    choose: () => addDataset(deps),
  };
  const trySandbox: Choice = {
    label: `$(beaker) ${l10n.t('Try It with the Sandbox')}`,
    detail: l10n.t('An import service inside VS Code: no account, and nothing leaves this machine.'),
    choose: () => sandbox.start(),
  };
  const choices = [...known, add, ...(known.length === 0 ? [trySandbox] : [])];
  const placeHolder = known.length === 0 ? l10n.t('No dataset is set up yet') : l10n.t('Choose a dataset');
  const picked = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
  return picked?.choose();
}

/** The dataset's service with its key, which is asked for where it is missing. Undefined where the user gave none. */
export async function readyDestination(deps: ChooseDeps, dataset: Dataset): Promise<Destination | undefined> {
  const accessKey = (await deps.keys.get(dataset)) ?? (await enterAccessKey(deps.keys, dataset));
  return accessKey === undefined ? undefined : { dataset: dataset.name, target: targetOf(dataset, accessKey) };
}

/** The dataset of that name. @throws UserError where the settings no longer have it */
export function knownDataset(deps: ChooseDeps, name: string): Dataset {
  const dataset = deps.datasets.find(name);
  if (dataset !== undefined) return dataset;
  throw new UserError(l10n.t("There is no dataset '{0}' any more, so its service cannot be asked.", name), [
    { label: l10n.t('Add Dataset…'), run: () => addDataset(deps) },
  ]);
}
