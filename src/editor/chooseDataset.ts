import { l10n, type QuickPickItem, ThemeIcon } from 'vscode';
import { type Dataset, SANDBOX_NAME } from '../service/dataset';
import type { Target } from '../service/requests';
import { isAt, type Destination as TaskDestination } from '../tasks/destination';
import type { AccessKeys } from './accessKeys';
import { addDataset } from './commands/addDataset';
import { type Datasets, targetOf } from './datasets';
import { enterAccessKey } from './enterAccessKey';
import type { SandboxHost } from './sandboxHost';
import { openDatasetsSetting } from './settings';
import { UserError } from './userError';
import { whyNotAsked } from './whyNotAsked';
import { window } from './window';

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
  return givenDataset(deps, target) ?? deps.datasets.default ?? pickDataset(deps, title);
}

/**
 * The dataset that a command was given, as it is now; undefined where it was given something else.
 * @throws UserError where that dataset is not there any more
 */
export function givenDataset({ datasets }: ChooseDeps, target: unknown): Dataset | undefined {
  const name: unknown = (target as { dataset?: { name?: unknown } | null } | null | undefined)?.dataset?.name;
  if (typeof name !== 'string') return undefined;
  const dataset = datasets.find(name);
  if (dataset === undefined) throw new UserError(l10n.t("There is no dataset '{0}' any more.", name));
  return dataset;
}

/** Asks which dataset; leads to adding one, or to the sandbox, where there is none or it is the one that is missing. */
export async function pickDataset(deps: ChooseDeps, title: string): Promise<Dataset | undefined> {
  const { datasets, sandbox } = deps;
  const known = datasets.all.map((dataset) => choiceOf(deps, dataset));
  const add: Choice = {
    label: l10n.t('Add Dataset…'),
    iconPath: new ThemeIcon('add'),
    detail: l10n.t('You need the base URL of the service and the Access-Key of the dataset.'),
    choose: () => addDataset(deps),
  };
  const trySandbox: Choice = {
    label: l10n.t('Try It with the Sandbox'),
    iconPath: new ThemeIcon('beaker'),
    detail: l10n.t('An import service inside VS Code: no account, and nothing leaves this machine.'),
    choose: () => sandbox.start(),
  };
  const offersSandbox = known.length === 0 || datasets.missingDefault === SANDBOX_NAME;
  const choices = [...known, add, ...(offersSandbox ? [trySandbox] : [])];
  const picked = await window.showQuickPick(choices, { title, placeHolder: askWords(datasets), ignoreFocusOut: true });
  return picked?.choose();
}

/** Asks which dataset of the settings. @throws UserError where there is none */
export async function pickOwnDataset(deps: ChooseDeps, title: string): Promise<Dataset | undefined> {
  const { datasets } = deps;
  const own = datasets.all.filter((dataset) => !datasets.isSandbox(dataset));
  if (own.length === 0) {
    throw new UserError(l10n.t('No dataset is set up yet.'), [
      { label: l10n.t('Add Dataset…'), run: () => addDataset(deps) },
    ]);
  }
  const choices = own.map((dataset) => choiceOf(deps, dataset));
  const placeHolder = l10n.t('Choose a dataset');
  const picked = await window.showQuickPick(choices, { title, placeHolder, ignoreFocusOut: true });
  return picked?.choose();
}

/**
 * The dataset whose access key is meant: the one that a command was given, or the default, or the one that the user
 * picks; never the sandbox. @throws UserError where there is none
 */
export async function chooseKeyOwner(deps: ChooseDeps, target: unknown, title: string): Promise<Dataset | undefined> {
  const { datasets } = deps;
  const given = givenDataset(deps, target);
  if (given !== undefined && datasets.isSandbox(given)) {
    throw new UserError(l10n.t('The sandbox has an Access-Key of its own, which stays as it is.'));
  }
  const chosen = given ?? datasets.default;
  return chosen === undefined || datasets.isSandbox(chosen) ? pickOwnDataset(deps, title) : chosen;
}

/** The dataset's service with its key, which is asked for where it is missing. Undefined where the user gave none. */
export async function readyDestination(deps: ChooseDeps, dataset: Dataset): Promise<Destination | undefined> {
  const accessKey = (await deps.keys.get(dataset)) ?? (await enterAccessKey(deps.keys, dataset));
  return accessKey === undefined ? undefined : { dataset: dataset.name, target: targetOf(dataset, accessKey) };
}

/** The dataset of that name. @throws UserError where there is none any more */
export function knownDataset(deps: ChooseDeps, name: string): Dataset {
  const dataset = deps.datasets.find(name);
  if (dataset !== undefined) return dataset;
  if (name === SANDBOX_NAME) {
    throw new UserError(l10n.t('The sandbox does not run, and what it knew is gone with it.'), [
      { label: l10n.t('Start Sandbox'), run: () => deps.sandbox.start() },
    ]);
  }
  throw new UserError(l10n.t("There is no dataset '{0}' any more, so its service cannot be asked.", name), [
    { label: l10n.t('Add Dataset…'), run: () => addDataset(deps) },
  ]);
}

/**
 * The dataset that something belongs to, where it is still at the same origin. @throws UserError where there is none any
 * more, or its base URL has moved
 */
export function datasetOf(deps: ChooseDeps, destination: TaskDestination): Dataset {
  if (whyNotAsked(deps, destination)?.kind === 'otherSandbox') {
    throw new UserError(l10n.t('This belongs to the sandbox of another window. It can be asked about there only.'));
  }
  const dataset = knownDataset(deps, destination.dataset);
  if (isAt(destination, dataset.baseUrl)) return dataset;
  if (deps.datasets.isSandbox(dataset)) {
    throw new UserError(l10n.t('This belongs to another sandbox, which is stopped.'));
  }
  throw new UserError(
    l10n.t(
      "This belongs to {0}, and dataset '{1}' has moved to {2}. Change its base URL back to go on with it.",
      hostOf(destination.origin),
      dataset.name,
      dataset.baseUrl.host,
    ),
    [{ label: l10n.t('Open Settings'), run: openDatasetsSetting }],
  );
}

/** The host of an origin, as people read it; empty where the origin is not known. */
export function hostOf(origin: string | undefined): string {
  return URL.parse(origin ?? '')?.host ?? '';
}

function choiceOf({ datasets }: ChooseDeps, dataset: Dataset): Choice {
  return {
    label: dataset.name,
    iconPath: new ThemeIcon(datasets.isSandbox(dataset) ? 'beaker' : 'database'),
    description: dataset.baseUrl.host,
    choose: async () => dataset,
  };
}

/** Says why it is asked. */
function askWords({ all, missingDefault }: Datasets): string {
  if (missingDefault === SANDBOX_NAME) return l10n.t('The sandbox is the default and does not run. Choose a dataset');
  if (missingDefault !== undefined) {
    return l10n.t("The default dataset '{0}' cannot be used. Choose a dataset", missingDefault);
  }
  return all.length === 0 ? l10n.t('No dataset is set up yet') : l10n.t('Choose a dataset');
}
