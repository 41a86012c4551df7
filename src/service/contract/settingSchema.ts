import * as v from 'valibot';
import { isJsonPointer } from '../json/jsonPointer';
import { hasOnlyPlaceholders } from './placeholders';

/**
 * Reads a value with a schema. Returns the output, or the invalid places, such as `queryTask.status`; the JSON schema in
 * package.json already explains mistakes in settings.json.
 */
export function readBy<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): { readonly output: Output } | { readonly faults: readonly string[] } {
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  return success ? { output } : { faults: issues.map(({ path }) => (path ?? []).map(({ key }) => key).join('.')) };
}

/** Whether a value is an object and not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The schemas of valibot accept a list as an object.
const object = v.custom<Readonly<Record<string, unknown>>>(isObject);

/** An object with only these members. */
export function section<const Members extends v.ObjectEntries>(members: Members) {
  return v.pipe(object, v.strictObject(members));
}

/** An object with any names that `name` accepts. Unlike `v.record`, it accepts the names `constructor` and `__proto__`. */
export function record<Value>(name: v.GenericSchema<string>, value: v.GenericSchema<unknown, Value>) {
  return v.pipe(
    object,
    v.transform((given) => new Map(Object.entries(given))),
    v.map(name, value),
    v.transform((entries): Readonly<Record<string, Value>> => Object.fromEntries(entries)),
  );
}

/** A JSON Pointer with only these placeholders. */
export function pointer(known: readonly string[]) {
  return v.pipe(v.string(), v.check(isJsonPointer), v.check(hasOnlyPlaceholders(known)));
}

/** The meanings that a user can give to a status. */
export const meaning = v.picklist(['running', 'succeeded', 'failed']);
