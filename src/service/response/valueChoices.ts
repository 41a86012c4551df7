import { isExactNumber, isNothing, type Json, leafText, stringifyJson } from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import { dataPlace, type OwnTask, placesIn } from './ownTask';
import type { StateStarter } from './stateStarters';
import { statusMeaning } from './statusMeaning';
import type { ResponseField } from './usualNames';

/** What a value can be picked as: a field, or what decides the state in an expression. */
export type PickedAs = ResponseField | StateStarter;

/** A response's `data`, and the task that it is read for; undefined for file-task's. */
export interface KeptData {
  readonly data: Json;
  readonly ownTask: OwnTask | undefined;
}

/** A value that the user can choose as a field. */
export interface ValueChoice {
  /** A JSON Pointer into `data`, which may have `${taskId}` in it. */
  readonly pointer: string;
  readonly text: string;
  /** Whether its name or its value speaks for it. */
  readonly isLikely: boolean;
}

const MAX_CHOICES = 200;
const MAX_VISITED = 5000;

/** The values of a response, likely ones first, otherwise the less deeply nested first. None is another task's. */
export function valueChoices(field: PickedAs, { data, ownTask }: KeptData): ValueChoice[] {
  const choices: ValueChoice[] = [];
  // Whether something is set decides the state.
  const isForState = field === 'flag' || field === 'error';
  const queue = [dataPlace(data, ownTask)];
  // Grows while it is iterated.
  for (const [visited, place] of queue.entries()) {
    if (visited === MAX_VISITED || choices.length === MAX_CHOICES) break;
    const { path, value, whose } = place;
    const text = leafText(value) ?? (isForState && isNothing(value) ? stringifyJson(value) : undefined);
    if (text === undefined) queue.push(...placesIn(place, ownTask));
    else if (whose !== 'other' && (isForState || text.trim() !== ''))
      choices.push({ pointer: jsonPointer(...path), text, isLikely: isLikely(field, path, value, text) });
  }
  return choices.toSorted((one, other) => Number(other.isLikely) - Number(one.isLikely));
}

const hints: Readonly<Record<PickedAs, RegExp>> = {
  flag: /finish|done|complete|end|closed|ready|success/i,
  error: /err|fail|fault|exception|problem/i,
  taskId: /id$|no$|code$|key$|ref$|uuid|number/i,
  status: /stat|phase|stage|step|^st$/i,
  progress: /progress|percent|pct|rate/i,
  message: /message|msg|reason|remark|detail|desc|error|info|why|cause/i,
};

function isLikely(field: PickedAs, path: readonly string[], value: Json, text: string): boolean {
  const [owner = '', name = ''] = ['', '', ...path.filter((each) => !/^\d+$/.test(each))].slice(-2);
  if (hints[field].test(name)) return true;
  // A status is as often `phase.name` as `phase`.
  if (field === 'status') return hints.status.test(owner) || statusMeaning(text, {}) !== 'unknown';
  // Several words are a sentence, unless they are a time.
  if (field === 'message') return /\p{L}\s+\p{L}/u.test(text);
  return field === 'taskId' && (isExactNumber(value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{6,}$/i.test(text));
}
