import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import { window } from '../platform/window';
import { chooseKeyOwner } from './chooseDataset';
import { type DatasetDeps, givenDataset } from './findDataset';

/** Forgets a dataset's access key, and those for origins that it had before, after asking. */
export async function clearAccessKey(deps: DatasetDeps, target: unknown): Promise<void> {
  const abandoned = givenDataset(deps, target) === undefined ? await abandonedKeys(deps) : [];
  const chosen = abandoned.length === 0 ? await ofDataset(deps, target) : await pick(deps, abandoned);
  if (chosen === undefined) return;
  const clear = l10n.t('Clear Access-Key');
  if ((await window.showWarningMessage(chosen.question, { modal: true }, clear)) === clear) {
    await deps.keys.clear({ name: chosen.label });
  }
}

/** Whose key may be cleared, as it reads in a Quick Pick, and what is asked before. */
type Choice = QuickPickItem & { readonly question: string };

async function ofDataset(deps: DatasetDeps, target: unknown): Promise<Choice | undefined> {
  const dataset = await chooseKeyOwner(deps, target, l10n.t('Clear Access-Key'));
  return dataset && datasetChoice(dataset.name, dataset.baseUrl.host);
}

async function pick({ datasets }: DatasetDeps, abandoned: readonly Choice[]): Promise<Choice | undefined> {
  const own = datasets.all.filter((dataset) => !datasets.isSandbox(dataset));
  const choices: Choice[] = [
    ...own.map(({ name, baseUrl }) => datasetChoice(name, baseUrl.host)),
    { label: l10n.t('not in the settings anymore'), kind: QuickPickItemKind.Separator, question: '' },
    ...abandoned,
  ];
  return window.showQuickPick(choices, {
    title: l10n.t('Clear Access-Key'),
    placeHolder: l10n.t('Choose the dataset whose access key is forgotten'),
    ignoreFocusOut: true,
  });
}

function datasetChoice(name: string, host: string): Choice {
  return {
    label: name,
    description: host,
    iconPath: new ThemeIcon('database'),
    question: l10n.t("Forget the Access-Key of dataset '{0}'? It will be asked for at the next import.", name),
  };
}

/** The keys of datasets that were removed from the settings by hand, or cannot be used as they stand there. */
async function abandonedKeys({ datasets, keys }: DatasetDeps): Promise<Choice[]> {
  const owners = (await keys.owners()).filter(({ name }) => datasets.find(name) === undefined);
  return [...Map.groupBy(owners, ({ name }) => name)].map(([name, all]) => {
    const origins = all.map(({ origin }) => origin).join(', ');
    return {
      label: name,
      description: origins,
      iconPath: new ThemeIcon('key'),
      question: l10n.t(
        "Forget the access key of '{0}' for {1}? There is no such dataset in the settings.",
        name,
        origins,
      ),
    };
  });
}
