import * as v from 'valibot';
import type { Json } from '../json/json';
import { isTooDeep } from '../json/jsonDepth';
import { isJsonPointer } from '../json/jsonPointer';
import { ACCESS_KEY_HEADER, type Contract, DEFAULT_CONTRACT, KIND_HEADERS } from './contract';
import { FILE_PLACEHOLDERS } from './filePlaceholders';
import { placeholdersIn } from './template';
import { faultMessage, type SettingIssue, type ValueFault, valueFault } from './valueFault';

const shownHeaders = [ACCESS_KEY_HEADER, 'Content-Type', ...Object.keys(KIND_HEADERS)];
const framingHeaders = ['Content-Length', 'Transfer-Encoding', 'Host', 'Connection', 'Expect', 'Upgrade', 'Keep-Alive'];
// undici takes it from the proxy's settings alone.
const proxyHeaders = ['Proxy-Authorization'];
const fixedHeaders = new Set([...shownHeaders, ...framingHeaders, ...proxyHeaders].map((name) => name.toLowerCase()));

const pointer = v.pipe(v.string(), v.check(isJsonPointer, faultMessage({ kind: 'notPointer' })));
const path = v.pipe(
  v.string(),
  v.regex(/^\/[!-~]*$/, faultMessage({ kind: 'notPath' })),
  v.excludes('#', faultMessage({ kind: 'hashInPath' })),
);
const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, faultMessage({ kind: 'notHeaderName' })),
  v.check((name) => !fixedHeaders.has(name.toLowerCase()), faultMessage({ kind: 'fixedHeader' })),
);
const headerValue = v.pipe(v.string(), v.regex(/^[\t -~\u0080-\u00FF]*$/, faultMessage({ kind: 'notHeaderValue' })));
const partName = v.pipe(v.string(), v.nonEmpty(faultMessage({ kind: 'empty' })));
const placeholders = <Template extends Json>(known: readonly string[]) =>
  v.check<Template, string>(
    (template) => placeholdersIn(template).every((name) => known.includes(name)),
    faultMessage({ kind: 'unknownPlaceholder', known }),
  );
const fieldValue = v.pipe(v.string(), placeholders(FILE_PLACEHOLDERS));
const body = v.pipe(v.custom<Json>(isJson, faultMessage({ kind: 'notJson' })), placeholders(['taskId']));

const meanings = ['running', 'succeeded', 'failed'] as const;
const meaning = v.picklist(meanings, faultMessage({ kind: 'notOneOf', known: meanings }));

const own = v.exactOptional;

/** valibot takes a list for an object. */
const noList = v.custom<object>((value) => !Array.isArray(value), faultMessage({ kind: 'list' }));
const section = <Entries extends v.ObjectEntries>(entries: Entries) => v.pipe(noList, v.strictObject(entries));

type Checked<Value> = v.GenericSchema<Value, Value, SettingIssue>;

/** Names are the service's and may be any: valibot's own record passes over some, such as `constructor`. */
const named = <Value>(name: Checked<string>, value: Checked<Value>) =>
  v.pipe(
    v.custom<Readonly<Record<string, Value>>>(isObject, faultMessage({ kind: 'notObject' })),
    v.rawCheck(({ dataset, addIssue }) => {
      for (const [key, item] of dataset.typed ? Object.entries(dataset.value) : []) {
        const issue = v.safeParse(name, key).issues?.[0] ?? v.safeParse(value, item).issues?.[0];
        const at = { type: 'unknown', origin: 'value', input: dataset.value, key, value: item } as const;
        if (issue !== undefined) addIssue({ message: faultMessage(valueFault(issue)), path: [at] });
      }
    }),
  );

const overrides = section({
  paths: own(section({ fileTask: own(path), queryTask: own(path), setWebhook: own(path) })),
  headers: own(named(headerName, headerValue)),
  fileTask: own(section({ filePart: own(partName), fields: own(named(partName, fieldValue)), taskId: own(pointer) })),
  queryTask: own(
    section({
      body: own(body),
      status: own(pointer),
      progress: own(pointer),
      message: own(pointer),
      statusMeanings: own(named(v.string(), meaning)),
    }),
  ),
  codes: own(section({ badKey: own(v.array(v.string())), tryLater: own(v.array(v.string())) })),
});

/** What is wrong with a part of a contract, and its place in it: `queryTask.status` (INTERFACE.md 4). */
export interface ContractFault {
  readonly at: string;
  readonly what: ValueFault;
}

/**
 * The default contract with a dataset's overrides laid over it, part by part (INTERFACE.md 4: what it does not show
 * is what can be overridden). Takes the settings' value as it came. A part with a fault is left at its default, and
 * the fault named. The headers that INTERFACE.md 4.1 shows, and those that frame a request, cannot be overridden.
 */
export function readContract(settings: unknown): { contract: Contract; faults: readonly ContractFault[] } {
  const faults: ContractFault[] = [];
  for (let given: unknown = settings ?? {}; ; ) {
    const read = v.safeParse(overrides, given);
    if (read.success) return { contract: overDefault(read.output), faults };
    for (const issue of read.issues) {
      const at = v.getDotPath(issue) ?? '';
      if (!faults.some((fault) => fault.at === at)) faults.push({ at, what: valueFault(issue) });
      given = without(given, issue.path?.map(({ key }) => key) ?? []);
    }
  }
}

/**
 * A dataset's overrides, whatever they are, with one part set, or taken out where `value` is undefined (INTERFACE.md 4:
 * what it does not show is what can be overridden). Sections that become empty go too.
 */
export function withOverride(settings: unknown, [key, ...inner]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: part, ...others } = isObject(settings) ? settings : {};
  const changed = withOverride(part, inner, value);
  const isEmpty =
    inner.length > 0 && typeof changed === 'object' && changed !== null && Object.keys(changed).length === 0;
  return changed === undefined || isEmpty ? others : { ...others, [key]: changed };
}

function overDefault(given: v.InferOutput<typeof overrides>): Contract {
  return {
    paths: { ...DEFAULT_CONTRACT.paths, ...given.paths },
    headers: given.headers ?? DEFAULT_CONTRACT.headers,
    fileTask: { ...DEFAULT_CONTRACT.fileTask, ...given.fileTask },
    queryTask: { ...DEFAULT_CONTRACT.queryTask, ...given.queryTask },
    codes: { ...DEFAULT_CONTRACT.codes, ...given.codes },
  };
}

/** A copy without the part at this path; a list goes as a whole. */
function without(value: unknown, [key, ...inner]: readonly unknown[]): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return {};
  const { [String(key)]: part, ...others } = value as Record<string, unknown>;
  const remains = inner.length > 0 && typeof part === 'object' && part !== null && !Array.isArray(part);
  return remains ? { ...others, [String(key)]: without(part, inner) } : others;
}

function isJson(value: unknown): boolean {
  try {
    const text = JSON.stringify(value);
    return text !== undefined && !isTooDeep(text);
  } catch {
    // Nested beyond what can be written.
    return false;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
