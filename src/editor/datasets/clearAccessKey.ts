import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import { formatList } from '../language/formatLists';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import { chooseKeyOwner } from './chooseDataset';
import { givenDataset } from './findDataset';

/** Clears the access key of a dataset, for all its origins, after asking. */
export async function clearAccessKey(services: Services, target: unknown): Promise<void> {
  const abandoned = givenDataset(services, target) === undefined ? await abandonedKeys(services) : [];
  const chosen = abandoned.length === 0 ? await chooseDatasetKey(services, target) : await pickKey(services, abandoned);
  if (chosen === undefined) return;
  if (await window.confirm(chosen.question, '', l10n.t('Clear Access Key')))
    await services.keys.clear({ name: chosen.label });
}

/** The owner of a key, and the question before it is cleared. */
type Choice = QuickPickItem & { readonly question: string };

async function chooseDatasetKey(services: Services, target: unknown): Promise<Choice | undefined> {
  const dataset = await chooseKeyOwner(services, target, l10n.t('Clear Access Key'));
  return dataset && datasetChoice(dataset.name, dataset.baseUrl.host);
}

async function pickKey({ datasets }: Services, abandoned: readonly Choice[]): Promise<Choice | undefined> {
  const own = datasets.all.filter((dataset) => !datasets.isSandbox(dataset));
  const choices: Choice[] = [
    ...own.map(({ name, baseUrl }) => datasetChoice(name, baseUrl.host)),
    { label: l10n.t('no longer in the settings'), kind: QuickPickItemKind.Separator, question: '' },
    ...abandoned,
  ];
  return window.showQuickPick(choices, {
    title: l10n.t('Clear Access Key'),
    placeHolder: l10n.t('Select the dataset whose access key to clear'),
    ignoreFocusOut: true,
  });
}

function datasetChoice(name: string, host: string): Choice {
  return {
    label: name,
    description: host,
    iconPath: new ThemeIcon('database'),
    question: l10n.t("Clear the access key of dataset '{0}'? The next import asks for it again.", name),
  };
}

/** The keys of datasets that were removed from settings.json by hand or are invalid there. */
async function abandonedKeys({ datasets, keys }: Services): Promise<Choice[]> {
  const owners = (await keys.owners()).filter(({ name }) => datasets.find(name) === undefined);
  return [...Map.groupBy(owners, ({ name }) => name)].map(([name, all]) => {
    const origins = formatList(all.map(({ origin }) => origin));
    return {
      label: name,
      description: origins,
      iconPath: new ThemeIcon('key'),
      question: l10n.t(
        "Clear the access key of '{0}' for {1}? This dataset is no longer in the settings.",
        name,
        origins,
      ),
    };
  });
}
