import { l10n } from 'vscode';
import { readTypedBaseUrl } from '../../service/contract/baseUrl';
import type { Dataset } from '../../service/contract/dataset';
import { commandTitle, dialogTitle } from '../platform/commandTitle';
import { commandAction } from '../platform/userError';
import type { InputStep, StepBox } from '../platform/window';
import type { Services } from '../services';
import type { Datasets } from './datasets';
import { keyBox, storeAccessKey } from './enterAccessKey';
import { importFilesActions, testConnectionAction } from './findDataset';
import { formatBaseUrl } from './formatFaults';

/** Adds a dataset that the user enters, and offers the next steps. */
export async function addDataset(services: Pick<Services, 'datasets' | 'keys' | 'picks' | 'messages'>): Promise<void> {
  const dataset = await enterDataset(services);
  if (dataset !== undefined) await reportAdded(services, dataset);
}

/**
 * Asks for a dataset's base URL, its access key, which is optional, and its name, and adds it to the user's settings. If the
 * user cancels, what was typed is offered again next time, except the key.
 */
export async function enterDataset(
  services: Pick<Services, 'datasets' | 'keys' | 'picks'>,
): Promise<Dataset | undefined> {
  const { datasets, picks, keys } = services;
  datasets.assertCanAdd();
  const { draft } = datasets;
  let key = '';
  const baseUrl = () => {
    const read = readTypedBaseUrl(draft.baseUrl);
    return 'url' in read ? read.url : undefined;
  };
  const suggestion = () => {
    const url = baseUrl();
    return url === undefined ? '' : suggestedName(datasets, url);
  };
  const steps: readonly [InputStep, ...InputStep[]] = [
    {
      box: () => baseUrlBox(draft.baseUrl),
      leave: (typed) => {
        draft.baseUrl = typed;
      },
    },
    {
      box: () => keyBox(baseUrl()?.origin ?? '', key, 'optional'),
      leave: (typed) => {
        key = typed.trim();
      },
    },
    {
      box: () => nameBox(datasets, draft.name ?? suggestion()),
      leave: (typed) => {
        // Another URL suggests another name.
        draft.name = ['', suggestion()].includes(typed.trim()) ? undefined : typed;
      },
    },
  ];
  const isAdded = await picks.steps(dialogTitle('addDataset'), steps);
  const url = baseUrl();
  if (!isAdded || url === undefined) return undefined;
  const added = { name: (draft.name ?? suggestion()).trim(), baseUrl: url };
  await datasets.add({ name: added.name, baseUrl: baseUrlText(added.baseUrl) });
  datasets.draft = { baseUrl: '', name: undefined };
  const isKept = key === '' || (await storeAccessKey(keys, added, key));
  return isKept ? datasets.find(added.name) : undefined;
}

/** The input box for a base URL. Shows how the typed text will be read. */
function baseUrlBox(value: string): StepBox {
  return {
    prompt: l10n.t('Enter the base URL of the service.'),
    placeHolder: 'https://import.example.com',
    value,
    validateInput: (typed) => {
      const read = readTypedBaseUrl(typed);
      return 'fault' in read ? formatBaseUrl(read.fault) : undefined;
    },
    note: formatReading,
  };
}

/** A base URL as it stands in the settings. */
export function baseUrlText({ href }: URL): string {
  return href.replace(/\/$/, '');
}

/** What was typed is read as another URL; undefined where it is that URL. */
function formatReading(typed: string): string | undefined {
  const read = readTypedBaseUrl(typed);
  if ('fault' in read) return undefined;
  const { url, cut } = read;
  if (cut !== undefined) {
    return l10n.t("'{0}' belongs to an operation and is left out. The base URL is {1}.", cut, baseUrlText(url));
  }
  return typed.includes('://') ? undefined : l10n.t('The base URL is {0}.', baseUrlText(url));
}

/** The box for the name of a dataset, which no other one has. `present` is the one that it has. */
export function nameBox(datasets: Datasets, value: string, present?: string): StepBox {
  return {
    prompt: l10n.t('Enter a name for the dataset.'),
    placeHolder: l10n.t('Product manuals'),
    value,
    validateInput: (typed) => {
      const name = typed.trim();
      if (name === '') return l10n.t('Enter a name.');
      return name === present ? undefined : datasets.nameFault(name);
    },
  };
}

/** A name that is free: that of the host, with a number where it is taken. */
function suggestedName(datasets: Datasets, { host }: URL): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? host : `${host} ${number}`;
    if (datasets.nameFault(name) === undefined) return name;
  }
}

async function reportAdded(
  { datasets, keys, messages }: Pick<Services, 'datasets' | 'keys' | 'messages'>,
  dataset: Dataset,
): Promise<void> {
  const { name } = dataset;
  await datasets.noteUse(dataset);
  const setDefault =
    datasets.default === dataset ? [] : [commandAction(l10n.t('Set as Default'), 'setDefaultDataset', { dataset })];
  if ((await keys.get(dataset)) === undefined) {
    const setKey = commandAction(commandTitle('setAccessKey'), 'setAccessKey', { dataset });
    const message = l10n.t("Dataset '{0}' added. Its access key is not set yet.", name);
    return messages.done(message, setKey, ...setDefault);
  }
  await messages.done(
    l10n.t("Dataset '{0}' added.", name),
    testConnectionAction(dataset),
    ...setDefault,
    ...importFilesActions({ datasets }, dataset),
  );
}
