import { isExactNumber, type Json } from '../json/json';
import { jsonPointer, OUR_ELEMENT, pointerNames } from '../json/jsonPointer';
import { fieldAt, type OwnTask } from './field';

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
  const test = testOf(expressionPath(field), fieldAt(field.data, field.pointer, field.task)?.value);
  const [, other, meaning] = /^(.+) && '(succeeded|failed)' \|\| 'running'$/.exec(before ?? '') ?? [];
  const finished = starter === 'flag' ? test : meaning === 'succeeded' && other;
  const failed = starter === 'error' ? test : meaning === 'failed' && other;
  if (!finished) return `${failed} && 'failed' || 'running'`;
  return `${finished} && ${failed ? `(${failed} && 'failed' || 'succeeded')` : "'succeeded'"} || 'running'`;
}

/** Compares numbers with 0, because 0 is truthy in JMESPath. */
function testOf(path: string, value: Json | undefined): string {
  if (typeof value === 'boolean') return `${path} == \`true\``;
  return typeof value === 'number' || isExactNumber(value) ? `${path} > \`0\`` : path;
}

/** Converts a JSON Pointer to a JMESPath expression. */
function expressionPath({ data, pointer, task }: Parameters<typeof startExpression>[2]): string {
  const names = pointerNames(pointer);
  const path = names.reduce((before, name, depth) => {
    if (!Array.isArray(fieldAt(data, jsonPointer(...names.slice(0, depth)), task)?.value)) {
      const member = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      return before === '' ? member : `${before}.${member}`;
    }
    if (name !== OUR_ELEMENT) return `${before}[${name}]`;
    return `(${before}[?contains(map(&to_string(@), values(@)), ${OUR_ELEMENT})] | [0])`;
  }, '');
  return path === '' ? '@' : path;
}
