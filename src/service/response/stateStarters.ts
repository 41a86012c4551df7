import { isExactNumber, type Json, leafText } from '../json/json';
import { jsonPointer, OUR_ELEMENT, pointerNames } from '../json/jsonPointer';
import { anyFieldAt, fieldAt, type OwnTask, ownIdPath } from './field';

/**
 * How a field that the user picked determines the state: a `flag` is set once the task has finished, and an `error` is
 * set if it failed.
 */
export type StateStarter = 'flag' | 'error';

/**
 * Returns a state expression that tests this field. If `before` is an expression that this function returned for the other
 * kind of field, combines both tests.
 */
export function startExpression(
  starter: StateStarter,
  before: string | undefined,
  field: { readonly data: Json; readonly pointer: string; readonly task: OwnTask | undefined },
): string {
  const test = testOf(starter, expressionPath(field), fieldAt(field.data, field.pointer, field.task)?.value);
  const [, other, meaning] = /^(.+) && '(succeeded|failed)' \|\| 'running'$/.exec(before ?? '') ?? [];
  const finished = starter === 'flag' ? test : meaning === 'succeeded' && other;
  const failed = starter === 'error' ? test : meaning === 'failed' && other;
  if (!finished) return `${failed} && 'failed' || 'running'`;
  return `${finished} && ${failed ? `(${failed} && 'failed' || 'succeeded')` : "'succeeded'"} || 'running'`;
}

/** Compares a value with 0 if it may be a number, because 0 is truthy in JMESPath. An error code may be negative. */
function testOf(starter: StateStarter, path: string, value: Json | undefined): string {
  if (typeof value === 'boolean') return `${path} == \`true\``;
  if (value === 'true' || value === 'false') return `${path} == 'true'`;
  const isNumber = typeof value === 'number' || isExactNumber(value);
  if (isNumber && starter === 'flag') return `${path} > \`0\``;
  const mayBeZero = isNumber || (value === null ? starter === 'error' : /^-?\d+$/.test(leafText(value) ?? ''));
  return mayBeZero ? `to_string(${path} || \`0\`) != '0'` : path;
}

/** Converts a JSON Pointer to a JMESPath expression. */
function expressionPath({ data, pointer, task }: Parameters<typeof startExpression>[2]): string {
  const names = pointerNames(pointer);
  const valueAt = (depth: number) => anyFieldAt(data, jsonPointer(...names.slice(0, depth)), task)?.value ?? null;
  const path = names.reduce((before, name, depth) => {
    if (!Array.isArray(valueAt(depth))) return before === '' ? memberName(name) : `${before}.${memberName(name)}`;
    if (name !== OUR_ELEMENT || task === undefined) return `${before}[${name}]`;
    const id = ownIdPath(valueAt(depth + 1), task).map(memberName);
    return `(${before}[?to_string(${id.join('.')}) == ${OUR_ELEMENT}] | [0])`;
  }, '');
  return path === '' ? '@' : path;
}

function memberName(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
}
