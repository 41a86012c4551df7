import { OUR_ELEMENT } from '../contract/placeholders';
import {
  isExactNumber,
  isJsonObject,
  isNothing,
  type Json,
  type JsonObject,
  leafText,
  stringifyJson,
} from '../json/json';
import { jsonPointer } from '../json/jsonPointer';
import { type OwnTask, ourElement, ownKey, readPlace } from './ownTask';
import type { StateStarter } from './stateStarters';
import { statusMeaning } from './statusMeaning';
import { firstNames, plainName, type ResponseField, USUAL_NAMES } from './usualNames';

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
/** Max elements of a list that are offered, if none of them is known to be ours. */
const MAX_ELEMENTS = 20;

/** The values of a response, likely ones first, otherwise the less deeply nested first. None is another task's. */
export function valueChoices(field: PickedAs, { data, ownTask }: KeptData): ValueChoice[] {
  const choices: ValueChoice[] = [];
  // Whether something is set decides the state.
  const isForState = field === 'flag' || field === 'error';
  const queue: { readonly path: readonly string[]; readonly value: Json; readonly owner: string }[] = [
    { path: [], value: data, owner: '' },
  ];
  // Grows while it is iterated.
  for (const [visited, { path, value, owner }] of queue.entries()) {
    if (visited === MAX_VISITED || choices.length === MAX_CHOICES) break;
    const text = leafText(value) ?? (isForState && isNothing(value) ? stringifyJson(value) : undefined);
    const pointer = jsonPointer(...path);
    if (text !== undefined) {
      const isShown = isForState || text.trim() !== '';
      const isOurs = isShown && (ownTask === undefined || readPlace(data, pointer, ownTask) !== undefined);
      if (isOurs) choices.push({ pointer, text, isLikely: isLikely(field, path.at(-1) ?? '', owner, value, text) });
    } else if (Array.isArray(value) || isJsonObject(value)) {
      const members = value as JsonObject;
      const name = path.at(-1) ?? '';
      for (const key of keysOf(value, ownTask))
        queue.push({
          path: [...path, key],
          value: members[key === OUR_ELEMENT ? (ownKey(value, ownTask) ?? '') : key] ?? null,
          owner: /^\d+$/.test(name) ? owner : name,
        });
    }
  }
  return choices.toSorted((one, other) => Number(other.isLikely) - Number(one.isLikely));
}

/** Of a list or map of tasks, only ours. */
function keysOf(value: Json, ownTask: OwnTask | undefined): readonly string[] {
  if (!Array.isArray(value)) {
    const members = value as JsonObject;
    return ownTask !== undefined && Object.hasOwn(members, ownTask.id) ? [OUR_ELEMENT] : firstNames(members);
  }
  const isOurs = ownTask !== undefined && ourElement(value, ownTask)?.whose === 'own';
  return isOurs ? [OUR_ELEMENT] : Object.keys(value.slice(0, MAX_ELEMENTS));
}

const hints: Readonly<Record<PickedAs, RegExp>> = {
  flag: /finish|done|complete|end|closed|ready|success/i,
  error: /err|fail|fault|exception|problem/i,
  taskId: /id$|no$|code$|key$|ref$|uuid|number/i,
  status: /stat|phase|stage|step|^st$/i,
  progress: /progress|percent|pct|rate|done|finish|processed/i,
  message: /message|msg|reason|remark|detail|desc|error|info|why|cause/i,
};

/** `owner` is the name of what it is in: a status is as often `phase.name` as `phase`. */
function isLikely(field: PickedAs, name: string, owner: string, value: Json, text: string): boolean {
  if (hints[field].test(name)) return true;
  if (field === 'flag' || field === 'error') return false;
  if (USUAL_NAMES[field].includes(plainName(name))) return true;
  if (field === 'status') return hints.status.test(owner) || statusMeaning(text, {}) !== 'unknown';
  // Several words are a sentence, unless they are a time.
  if (field === 'message') return /\p{L}\s+\p{L}/u.test(text);
  return field === 'taskId' && (isExactNumber(value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{6,}$/i.test(text));
}
