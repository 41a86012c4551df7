import * as v from 'valibot';
import { isJsonPointer } from '../json/jsonPointer';
import { hasOnlyPlaceholders } from './placeholders';
import { mistakeIn } from './stateExpression';

/** What is wrong with a value of the settings: the message of a schema's issue. Whoever shows it finds the words. */
export type ValueFault =
  | 'missing'
  | 'unknown'
  | 'empty'
  | 'notObject'
  | 'notList'
  | 'notText'
  | 'notBoolean'
  | 'notJson'
  | 'notPointer'
  | 'notPath'
  | 'notExpression'
  | 'notMeaning'
  | 'notMediaType'
  | 'notEncoding'
  | 'endsWithBackslash'
  | 'notHeaderName'
  | 'fixedHeader'
  | 'notHeaderValue'
  | 'unknownFieldPlaceholder'
  | 'unknownQueryPlaceholder'
  | 'unknownIdPlaceholder'
  | 'unknownPlacePlaceholder';

/** A fault and where it is: `queryTask.status`, or '' for the value as a whole. */
export interface PlacedFault {
  readonly at: string;
  readonly what: ValueFault;
  /** Of the first mistake in an expression, counted from 1. */
  readonly position?: number;
}

/** Reads a value by a schema: the output, or all that is wrong. */
export function readBy<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): { readonly output: Output } | { readonly faults: readonly PlacedFault[] } {
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  return success ? { output } : { faults: issues.map(placedFault) };
}

function placedFault({ path, message, input }: v.BaseIssue<unknown>): PlacedFault {
  const fault = { at: (path ?? []).map(({ key }) => String(key)).join('.'), what: message as ValueFault };
  const position = fault.what === 'notExpression' ? mistakeIn(String(input)) : undefined;
  return position === undefined ? fault : { ...fault, position };
}

/** Tells an object from other values, lists among them. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The schemas of valibot take a list for an object.
const object = v.custom<Readonly<Record<string, unknown>>>(isObject, 'notObject');

/** An object with these members and no others. */
export function section<const Members extends v.ObjectEntries>(members: Members) {
  const fault = ({ expected }: v.StrictObjectIssue) => (expected === 'never' ? 'unknown' : 'missing');
  return v.pipe(object, v.strictObject(members, fault));
}

/** An object with any names that `name` accepts. Unlike `v.record`, it takes `constructor` and `__proto__` for names. */
export function record<Value>(name: v.GenericSchema<string>, value: v.GenericSchema<unknown, Value>) {
  return v.pipe(
    object,
    v.transform((given) => new Map(Object.entries(given))),
    v.map(name, value),
    v.transform((entries): Readonly<Record<string, Value>> => Object.fromEntries(entries)),
  );
}

export const text = v.string('notText');

/** A JSON Pointer that has no placeholders but these. */
export function pointer(known: readonly string[], fault: ValueFault) {
  return v.pipe(text, v.check(isJsonPointer, 'notPointer'), v.check(hasOnlyPlaceholders(known), fault));
}

/** What a user can say that a status means. */
export const meaning = v.picklist(['running', 'succeeded', 'failed'], 'notMeaning');
