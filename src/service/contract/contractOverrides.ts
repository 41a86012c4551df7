import * as v from 'valibot';
import type { Json } from '../json/json';
import { EACH_ELEMENT, isJsonPointer, OUR_ELEMENT, pointerNames } from '../json/jsonPointer';
import { ACCESS_KEY_HEADER, type Contract, DEFAULT_CONTRACT, KIND_HEADERS, KNOWN_MEANINGS } from './contract';
import { mistakeIn } from './stateExpression';
import { FILE_PLACEHOLDERS, placeholdersIn, QUERY_PLACEHOLDERS } from './template';

/**
 * Validates a value against a schema. Returns the output, or the paths of the invalid parts, such as `queryTask.status`. Paths are
 * enough, because the JSON schema in package.json already explains mistakes in settings.json.
 */
export function readBy<Output>(
  schema: v.GenericSchema<unknown, Output>,
  value: unknown,
): { readonly output: Output } | { readonly faults: readonly string[] } {
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  return success ? { output } : { faults: issues.map(({ path }) => (path ?? []).map(({ key }) => key).join('.')) };
}

/** Whether a value is an object, but not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object with member names that `name` accepts. `v.record` alone would also accept a list. */
function record<Value>(name: v.GenericSchema<string>, value: v.GenericSchema<unknown, Value>) {
  return v.pipe(v.custom<Readonly<Record<string, unknown>>>(isObject), v.record(name, value));
}

const shownHeaders = [ACCESS_KEY_HEADER, 'Content-Type', ...Object.keys(KIND_HEADERS)];
const framingHeaders =
  'Accept-Encoding Content-Length Transfer-Encoding Host Connection Expect Upgrade Keep-Alive'.split(' ');
// undici accepts this header only in its proxy settings.
const proxyHeaders = ['Proxy-Authorization'];
const fixedHeaders = new Set([...shownHeaders, ...framingHeaders, ...proxyHeaders].map((name) => name.toLowerCase()));

const path = v.pipe(v.string(), v.regex(/^\/[!-"$-~]*$/));
const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
  v.check((name) => !fixedHeaders.has(name.toLowerCase())),
);
const headerValue = v.pipe(v.string(), v.regex(/^[\t -~\u0080-\u00FF]*$/));
// The name can't end with a backslash, because some parsers would treat it as an escape for the closing quote. No way
// of escaping the backslash works in all parsers.
const partName = v.pipe(v.string(), v.regex(/[^\\]$/));
const mediaType = v.pipe(v.string(), v.regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w."-]+)*$/));
const fieldValue = v.pipe(v.string(), v.check(hasOnly<string>(FILE_PLACEHOLDERS)));
const body = v.pipe(
  v.custom<Json>((value) => value !== undefined),
  v.check(hasOnly<Json>(QUERY_PLACEHOLDERS)),
);
const expression = v.pipe(
  v.string(),
  v.check((text) => mistakeIn(text) === undefined),
);
const codes = v.array(v.string());
const place = pointer(OUR_ELEMENT);

/** The schema of a dataset's overrides. */
export const overridesSchema = v.strictObject({
  paths: v.exactOptional(
    v.strictObject({
      fileTask: v.exactOptional(path),
      queryTask: v.exactOptional(path),
      setWebhook: v.exactOptional(path),
    }),
  ),
  headers: v.exactOptional(record(headerName, headerValue)),
  fileTask: v.exactOptional(
    v.strictObject({
      filePart: v.exactOptional(partName),
      mediaType: v.exactOptional(mediaType),
      fileNameEncoding: v.exactOptional(v.picklist(['utf8', 'percent', 'both'])),
      fields: v.exactOptional(record(partName, fieldValue)),
      taskId: v.exactOptional(pointer(EACH_ELEMENT)),
    }),
  ),
  queryTask: v.exactOptional(
    v.strictObject({
      body: v.exactOptional(body),
      status: v.exactOptional(place),
      progress: v.exactOptional(place),
      message: v.exactOptional(place),
      state: v.exactOptional(expression),
      statusMeanings: v.exactOptional(record(v.string(), v.picklist(KNOWN_MEANINGS))),
    }),
  ),
  codes: v.exactOptional(v.strictObject({ badKey: v.exactOptional(codes), tryLater: v.exactOptional(codes) })),
});

/** The default contract with a dataset's overrides applied. */
export function withOverrides(given: v.InferOutput<typeof overridesSchema> = {}): Contract {
  return {
    paths: { ...DEFAULT_CONTRACT.paths, ...given.paths },
    headers: given.headers ?? DEFAULT_CONTRACT.headers,
    fileTask: { ...DEFAULT_CONTRACT.fileTask, ...given.fileTask },
    queryTask: { ...DEFAULT_CONTRACT.queryTask, ...given.queryTask },
    codes: { ...DEFAULT_CONTRACT.codes, ...given.codes },
  };
}

/**
 * Returns the contract with these overrides. If any of them are invalid, returns the default contract and the paths of the
 * invalid parts.
 */
export function readContract(settings: unknown): { contract: Contract; faults: readonly string[] } {
  const read = readBy(overridesSchema, settings ?? {});
  return 'faults' in read
    ? { contract: DEFAULT_CONTRACT, faults: read.faults }
    : { contract: withOverrides(read.output), faults: [] };
}

/**
 * Sets one part of a dataset's overrides, or removes it if `value` is undefined. Removes sections that become empty. Also works
 * if the overrides are invalid.
 */
export function withOverride(settings: unknown, [key, ...inner]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: part, ...others } = isObject(settings) ? settings : {};
  const changed = withOverride(part, inner, value);
  const isEmpty = inner.length > 0 && isObject(changed) && Object.keys(changed).length === 0;
  return changed === undefined || isEmpty ? others : { ...others, [key]: changed };
}

/** A JSON Pointer. The given placeholder is the only one it may contain. */
function pointer(placeholder: string) {
  const isKnown = (name: string) => name === placeholder || !/^\$\{.*\}$/s.test(name);
  return v.pipe(
    v.string(),
    v.check((text) => isJsonPointer(text) && pointerNames(text).every(isKnown)),
  );
}

/** Returns a function that checks whether a template contains only these placeholders. */
function hasOnly<Template extends Json>(known: readonly string[]): (template: Template) => boolean {
  return (template) => placeholdersIn(template).every((name) => known.includes(name));
}
