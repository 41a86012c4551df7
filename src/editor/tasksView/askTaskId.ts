import { l10n, type QuickPickItem } from 'vscode';
import { couldBeNumber, type TaskId, typedTaskId } from '../../service/json/taskId';
import type { Picks } from '../platform/window';
import type { Services } from '../services';

/** Asks for the ID of a task, starting with `value`, and for its JSON type if that is ambiguous. Masks an access key in it. */
export async function askTaskId(
  { keys, picks }: Pick<Services, 'keys' | 'picks'>,
  title: string,
  prompt: string,
  value = '',
): Promise<TaskId | undefined> {
  const typed = await picks.text({
    title,
    prompt,
    value,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? l10n.t('Enter the ID of a task.') : undefined),
  });
  if (typed === undefined) return undefined;
  const id = keys.mask(typed.trim());
  const as = couldBeNumber(id) ? await askType(picks, title, id) : 'string';
  return as && typedTaskId(id, as);
}

/** Digits may be a JSON string or a number, and a service accepts only the type that it uses. */
async function askType(picks: Picks, title: string, digits: string): Promise<'string' | 'number' | undefined> {
  const items: (QuickPickItem & { as: 'string' | 'number' })[] = [
    { label: `"${digits}"`, description: l10n.t('Text: the service writes IDs in quotes'), as: 'string' },
    { label: digits, description: l10n.t('Number: the service writes IDs without quotes'), as: 'number' },
  ];
  const placeHolder = l10n.t('Select how the service writes this ID in JSON');
  return (await picks.one(items, { title, placeHolder, ignoreFocusOut: true }))?.as;
}
