import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import { window } from '../platform/window';
import { chooseKeyOwner } from './chooseDataset';
import { type DatasetDeps, givenDataset } from './findDataset';

/** Clears the access key of a dataset, for all its origins, after asking. */
export async function clearAccessKey(deps: DatasetDeps, target: unknown): Promise<void> {
  const abandoned = givenDataset(deps, target) === undefined ? await abandonedKeys(deps) : [];
  const chosen = abandoned.length === 0 ? await chooseDatasetKey(deps, target) : await pickKey(deps, abandoned);
  if (chosen === undefined) return;
  if (await window.confirm(chosen.question, '', l10n.t('Clear Access Key')))
    await deps.keys.clear({ name: chosen.label });
}

/** The owner of a key, and the question before it is cleared. */
type Choice = QuickPickItem & { readonly question: string };

async function chooseDatasetKey(deps: DatasetDeps, target: unknown): Promise<Choice | undefined> {
  const dataset = await chooseKeyOwner(deps, target, l10n.t('Clear Access Key'));
  return dataset && datasetChoice(dataset.name, dataset.baseUrl.host);
}

async function pickKey({ datasets }: DatasetDeps, abandoned: readonly Choice[]): Promise<Choice | undefined> {
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
async function abandonedKeys({ datasets, keys }: DatasetDeps): Promise<Choice[]> {
  const owners = (await keys.owners()).filter(({ name }) => datasets.find(name) === undefined);
  return [...Map.groupBy(owners, ({ name }) => name)].map(([name, all]) => {
    const origins = all.map(({ origin }) => origin).join(', ');
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
