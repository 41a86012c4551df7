import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import { type AnswerLeaf, answerLeaves } from '../service/answerLeaves';
import type { Dataset } from '../service/dataset';
import type { Fact } from '../service/recognition';
import { answerData } from '../tasks/readAnswersAgain';
import type { TrackedTask } from '../tasks/trackedTask';
import { factWords } from './factWords';
import type { Mapping } from './mapping';
import { taskLabel } from './taskItem';
import { UserError } from './userError';
import { window } from './window';

type Choice = QuickPickItem & { readonly pointer?: string | undefined };

/**
 * Lets the user choose, from a real answer, where a fact is. The choice holds for the dataset from then on.
 * @throws UserError where there is nothing to choose from
 */
export async function chooseFact(
  mapping: Mapping,
  dataset: Dataset,
  fact: Fact,
  { task, answer }: { task: TrackedTask; answer: string },
): Promise<void> {
  const leaves = answerLeaves(answerData(answer), fact);
  const chosen = mapping.pointer(dataset, fact);
  if (leaves.length === 0 && chosen === undefined) {
    const label = taskLabel(task);
    throw new UserError(
      fact === 'taskId'
        ? l10n.t(
            "The answer about '{0}' holds no value to choose from. Attach Task ID… takes one that you know.",
            label,
          )
        : l10n.t("The answer about '{0}' holds no value to choose from.", label),
    );
  }
  const likely = leaves.filter(({ isLikely }) => isLikely);
  const others = leaves.filter(({ isLikely }) => !isLikely);
  const choices: Choice[] = [
    ...group(l10n.t('likely'), likely, chosen),
    ...group(l10n.t('also in the answer'), others, chosen),
    { label: l10n.t('otherwise'), kind: QuickPickItemKind.Separator },
    {
      label: l10n.t('Recognise by usual names'),
      iconPath: new ThemeIcon('discard'),
      description: chosen === undefined ? l10n.t('now') : '',
      pointer: undefined,
    },
  ];
  const what = factWords(fact);
  const picked = await window.showQuickPick(choices, {
    title: l10n.t("{0} in the answers of dataset '{1}'", what, dataset.name),
    placeHolder: l10n.t("Which value is it? This is the answer about '{0}'.", taskLabel(task)),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked !== undefined) await mapping.setPointer(dataset, fact, picked.pointer, task.key);
}

function group(title: string, leaves: readonly AnswerLeaf[], chosen: string | undefined): Choice[] {
  if (leaves.length === 0) return [];
  const choices = leaves.map(
    ({ pointer, text }): Choice => ({
      label: text.replaceAll(/\s+/g, ' ').slice(0, 100),
      description: pointer === chosen ? l10n.t('{0} (now)', pointer) : pointer,
      pointer,
    }),
  );
  return [{ label: title, kind: QuickPickItemKind.Separator }, ...choices];
}
