import { isNothing, type Json, leafText, stringifyJson } from '../json/json';
import { type Field, fieldsIn, type OwnTask, rootField } from './field';
import type { StateStarter } from './stateStarters';
import type { FieldName } from './usualNames';

/** What the user picks a value for: a field, or a test in a state expression. */
export type PickedAs = FieldName | StateStarter;

const MAX_CHOICES = 200;
const MAX_VISITED = 5000;

/** Returns the values in a response that the user can pick, least nested first. Leaves out other tasks' values. */
export function valueChoices(as: PickedAs, data: Json, task: OwnTask | undefined): Field[] {
  const choices: Field[] = [];
  // The loop adds to the queue.
  const queue = [rootField(data, task)];
  for (const [visited, field] of queue.entries()) {
    if (visited === MAX_VISITED || choices.length === MAX_CHOICES) break;
    const { value, whose } = field;
    const text = choiceText(field);
    // An expression can test whether a value is set.
    const isForState = as === 'flag' || as === 'error';
    if (leafText(value) === undefined && !(isForState && isNothing(value))) queue.push(...fieldsIn(field, task));
    else if (whose !== 'other' && (isForState || text.trim() !== '')) choices.push(field);
  }
  return choices;
}

/** A value as it is shown in a list. */
export function choiceText({ value }: Field): string {
  return leafText(value) ?? stringifyJson(value);
}
