import { isExactNumber, isNothing, type Json, leafText, stringifyJson } from '../json/json';
import { pointerNames } from '../json/jsonPointer';
import { type Field, fieldsIn, type OwnTask, rootField } from './field';
import type { StateStarter } from './stateStarters';
import { type FieldName, statusMeaning } from './usualNames';

/** What the user picks a value for: a field, or a test in a state expression. */
export type PickedAs = FieldName | StateStarter;

const MAX_CHOICES = 200;
const MAX_VISITED = 5000;

/**
 * Returns the values in a response that the user can pick. Likely values come first, and less nested values come before
 * more deeply nested ones. Omits other tasks' values.
 */
export function valueChoices(as: PickedAs, data: Json, task: OwnTask | undefined): Field[] {
  const choices: Field[] = [];
  // The loop below adds more fields to the queue.
  const queue = [rootField(data, task)];
  for (const [visited, field] of queue.entries()) {
    if (visited === MAX_VISITED || choices.length === MAX_CHOICES) break;
    const { value, whose } = field;
    const text = choiceText(field);
    // A state expression can test whether a value is set, so empty values can be picked, too.
    const isForState = as === 'flag' || as === 'error';
    if (leafText(value) === undefined && !(isForState && isNothing(value))) queue.push(...fieldsIn(field, task));
    else if (as === 'taskId' && typeof value === 'boolean') continue;
    else if (whose !== 'other' && (isForState || text.trim() !== '')) choices.push(field);
  }
  return [true, false].flatMap((likely) => choices.filter((field) => isLikely(as, field) === likely));
}

/** A value as it is shown in a list. */
export function choiceText({ value }: Field): string {
  return leafText(value) ?? stringifyJson(value);
}

const HINTS: Readonly<Record<PickedAs, RegExp>> = {
  flag: /finish|done|complete|end|closed|ready|success/i,
  error: /err|fail|fault|exception|problem/i,
  taskId: /id$|no$|code$|key$|ref$|uuid|number/i,
  status: /stat|phase|stage|step|^st$/i,
  progress: /progress|percent|pct|rate/i,
  message: /message|msg|reason|remark|detail|desc|error|info|why|cause/i,
};

/** Whether a field, judging by its name or value, is likely what the user wants to pick. */
function isLikely(as: PickedAs, field: Field): boolean {
  const [name = '', owner = ''] = pointerNames(field.pointer)
    .filter((each) => !/^\d+$/.test(each))
    .toReversed();
  const text = choiceText(field);
  if (HINTS[as].test(name)) return true;
  // The status is often inside an object, as in `phase.name`.
  if (as === 'status') return HINTS.status.test(owner) || statusMeaning(text, {}) !== 'unknown';
  // Text with a space between letters is probably a sentence. A timestamp has no such space.
  if (as === 'message') return /\p{L}\s+\p{L}/u.test(text);
  return as === 'taskId' && (isExactNumber(field.value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{6,}$/i.test(text));
}
