import { OUR_ELEMENT } from '../contract/placeholders';
import type { Json } from '../json/json';
import { jsonPointer, pointerNames } from '../json/jsonPointer';
import type { OwnTask } from './ownTask';
import { readPlace } from './ownTask';

/** What a picked field says about the state: `flag` is set once the task has finished, `error` if something went wrong. */
export type StateStarter = 'flag' | 'error';

/** A state expression that reads this field, added to the one so far if that came from the other starter. */
export function startExpression(
  starter: StateStarter,
  before: string | undefined,
  field: { readonly data: Json; readonly pointer: string; readonly task: OwnTask | undefined },
): string {
  const test = testOf(expressionPath(field), readPlace(field.data, field.pointer, field.task));
  if (starter === 'flag') {
    const failed = before !== undefined && FAILED_ONLY.exec(before)?.[1];
    return failed
      ? `${test} && (${failed} && 'failed' || 'succeeded') || 'running'`
      : `${test} && 'succeeded' || 'running'`;
  }
  return before?.includes("&& 'succeeded' ||")
    ? before.replace("&& 'succeeded' ||", () => `&& (${test} && 'failed' || 'succeeded') ||`)
    : `${test} && 'failed' || 'running'`;
}

const FAILED_ONLY = /^(.+) && 'failed' \|\| 'running'$/;

/** Numbers are compared: in JMESPath, 0 counts as true. */
function testOf(path: string, value: Json | undefined): string {
  if (typeof value === 'boolean') return `${path} == \`true\``;
  return typeof value === 'number' ? `${path} > \`0\`` : path;
}

/** The JMESPath expression that leads where a JSON Pointer leads. */
function expressionPath({ data, pointer, task }: Parameters<typeof startExpression>[2]): string {
  const names = pointerNames(pointer);
  const path = names.reduce((before, name, depth) => {
    if (!Array.isArray(readPlace(data, jsonPointer(...names.slice(0, depth)), task))) {
      const member = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
      return before === '' ? member : `${before}.${member}`;
    }
    if (name !== OUR_ELEMENT) return `${before}[${name}]`;
    return `(${before}[?contains(map(&to_string(@), values(@)), ${OUR_ELEMENT})] | [0])`;
  }, '');
  return path === '' ? '@' : path;
}
