import { l10n, type QuickPickItem, QuickPickItemKind, ThemeIcon } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Json } from '../../service/json/json';
import { taskIdText } from '../../service/json/taskId';
import type { ResponseField } from '../../service/response/recognition';
import { type ResponseLeaf, responseLeaves } from '../../service/response/responseLeaves';
import { idsAt, pointersTo, pointerToAll } from '../../service/response/severalIds';
import { responseData } from '../../tasks/following/rereadResponses';
import type { TrackedTask } from '../../tasks/trackedTask';
import { formatField } from '../platform/formatField';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { taskLabel } from '../tree/taskItem';
import type { Mapping } from './mapping';

type Choice = QuickPickItem & { readonly pointer?: string | undefined };

/**
 * Lets the user choose the value in a response that is the field, and saves its place with the dataset.
 * @throws UserError where the response has no values
 */
export async function chooseField(
  mapping: Mapping,
  dataset: Dataset,
  field: ResponseField,
  { task, response }: { task: TrackedTask; response: string },
): Promise<void> {
  const data = responseData(response);
  const leaves = responseLeaves(data, field);
  const chosen = mapping.pointer(dataset, field);
  if (leaves.length === 0 && chosen === undefined) {
    const label = taskLabel(task);
    throw new UserError(
      field === 'taskId'
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
    ...withAll(group(l10n.t('likely'), likely, chosen), field, data, chosen),
    ...withAll(group(l10n.t('also in the answer'), others, chosen), field, data, chosen),
    { label: l10n.t('otherwise'), kind: QuickPickItemKind.Separator },
    {
      label: l10n.t('Recognise by usual names'),
      iconPath: new ThemeIcon('discard'),
      description: chosen === undefined ? l10n.t('now') : '',
      pointer: undefined,
    },
  ];
  const what = formatField(field);
  const picked = await window.showQuickPick(choices, {
    title: l10n.t("{0} in the answers of dataset '{1}'", what, dataset.name),
    placeHolder: l10n.t("Which value is it? This is the answer about '{0}'.", taskLabel(task)),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  if (picked !== undefined) await mapping.setPointer(dataset, field, picked.pointer, task.key);
}

/** Offers before a task's id, where there are more in the same list or map, all of them. */
function withAll(choices: readonly Choice[], field: ResponseField, data: Json, chosen: string | undefined): Choice[] {
  if (field !== 'taskId') return [...choices];
  const offered = new Set<string>();
  return choices.flatMap((choice) => {
    const all = choice.pointer === undefined ? undefined : pointerToAll(data, choice.pointer);
    if (all === undefined || offered.has(all)) return [choice];
    offered.add(all);
    // Where another response has several in this list, none of them must be passed over in silence.
    if (pointersTo(data, all).length === 1) return [choiceOf(all, choice.label, chosen)];
    const { ids } = idsAt(data, all);
    if (ids.length < 2) return [choice];
    return [{ ...choiceOf(all, ids.map(taskIdText).join(', '), chosen), detail: formatAll(ids.length) }, choice];
  });
}

function formatAll(count: number): string {
  return l10n.t('All of them ({0}): each is a task of this file.', count);
}

function group(title: string, leaves: readonly ResponseLeaf[], chosen: string | undefined): Choice[] {
  if (leaves.length === 0) return [];
  const choices = leaves.map(({ pointer, text }) => choiceOf(pointer, text, chosen));
  return [{ label: title, kind: QuickPickItemKind.Separator }, ...choices];
}

function choiceOf(pointer: string, text: string, chosen: string | undefined): Choice {
  return {
    label: text.replaceAll(/\s+/g, ' ').slice(0, 100),
    description: pointer === chosen ? l10n.t('{0} (now)', pointer) : pointer,
    pointer,
  };
}
