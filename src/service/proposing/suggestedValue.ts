import { taskIdText } from '../json/taskId';
import { plainName } from '../places/usualNames';
import { isMeasurement } from '../response/measurement';
import { USUAL_NAMES } from '../response/recognition';
import { idsAt, pointerToAll } from '../response/severalIds';
import { statusMeaning } from '../response/statusMeaning';
import { isByNumber, type KeptData, type ValueChoice, valueChoices } from './leaves';

/** A value that the user is asked to explain, and its place. */
export type SuggestedValue = Pick<ValueChoice, 'pointer' | 'text'>;

/** Max characters of a value in a message. */
const MAX_CHARACTERS = 100;

/**
 * The one value of query-task's response that may be the status: of usual words, else of those that are called so, else of
 * all. None that is called a message. Undefined where there are several. `except` is a place that is known to be none.
 */
export function suggestedStatus(kept: KeptData, except: string | undefined): SuggestedValue | undefined {
  const choices = valueChoices('status', kept).filter(
    (choice) =>
      choice.pointer !== except &&
      !isByNumber(choice) &&
      choice.text !== kept.ownTask?.id &&
      choice.text.length <= MAX_CHARACTERS &&
      !isMessageName(choice.name) &&
      !isMeasurement([choice.text]),
  );
  const words = choices.filter(({ text }) => statusMeaning(text, {}) !== 'unknown');
  const value = only(words.length > 0 ? words : likelyOf(choices));
  // A flag is a matter of state rules, and a number under any other name is rather a count.
  const isNone =
    value !== undefined && (value.isLikely ? /^(?:true|false)$/ : /^(?:true|false|[\d.,-]+)$/).test(value.text);
  return isNone ? undefined : value;
}

/** Whether a text is a usual word of a status, and not a message that says no more than that the response is a success. */
export function isStatusWord(name: string, text: string): boolean {
  return statusMeaning(text, {}) !== 'unknown' && !isMessageName(name);
}

function isMessageName(name: string): boolean {
  return USUAL_NAMES.message.includes(plainName(name));
}

/**
 * The one value of file-task's response that may be the task's id, or the ids that are in every element of a list, which
 * the text names all. Undefined where there are several.
 */
export function suggestedTaskId({ data }: Pick<KeptData, 'data'>): SuggestedValue | undefined {
  const isId = ({ text, element }: ValueChoice) =>
    (element === undefined || element.is === 'this') &&
    text.length <= MAX_CHARACTERS &&
    /\d/.test(text) &&
    !/\s/.test(text);
  const choices = likelyOf(valueChoices('taskId', { data, ownTask: undefined }).filter(isId));
  const suggested = choices.map(({ pointer, text }): SuggestedValue => {
    const all = pointerToAll(data, pointer);
    return all === undefined
      ? { pointer, text }
      : { pointer: all, text: idsAt(data, all).ids.map(taskIdText).join(', ') };
  });
  return only([...new Map(suggested.map((value) => [value.pointer, value])).values()]);
}

function likelyOf(choices: readonly ValueChoice[]): readonly ValueChoice[] {
  const likely = choices.filter(({ isLikely }) => isLikely);
  return likely.length > 0 ? likely : choices;
}

function only<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}
