import type { Json } from '../json/json';
import { isTooDeep } from '../json/jsonDepth';
import { ACCESS_KEY_HEADER, type Contract, DEFAULT_CONTRACT, KIND_HEADERS } from './contract';
import { FILE_PLACEHOLDERS, QUERY_PLACEHOLDERS } from './filePlaceholders';
import { idPlace, place } from './placeReader';
import {
  isObject,
  listOf,
  oneOf,
  readSetting,
  record,
  type SettingReader,
  section,
  type TextRule,
  text,
} from './settingReader';
import { stateRules } from './stateRules';
import { placeholdersIn } from './template';
import type { PlacedFault, ValueFault } from './valueFault';

const shownHeaders = [ACCESS_KEY_HEADER, 'Content-Type', ...Object.keys(KIND_HEADERS)];
const framingHeaders = ['Content-Length', 'Transfer-Encoding', 'Host', 'Connection', 'Expect', 'Upgrade', 'Keep-Alive'];
// undici takes it from the proxy's settings alone.
const proxyHeaders = ['Proxy-Authorization'];
const fixedHeaders = new Set([...shownHeaders, ...framingHeaders, ...proxyHeaders].map((name) => name.toLowerCase()));

const matches = (pattern: RegExp, kind: Exclude<ValueFault, { known: unknown }>['kind']): TextRule => [
  (text) => pattern.test(text),
  { kind },
];

const path = text(matches(/^\/[!-~]*$/, 'notPath'), matches(/^[^#]*$/, 'hashInPath'));
const headerName = text(matches(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'notHeaderName'), [
  (name) => !fixedHeaders.has(name.toLowerCase()),
  { kind: 'fixedHeader' },
]);
const headerValue = text(matches(/^[\t -~\u0080-\u00FF]*$/, 'notHeaderValue'));
const partName = text(matches(/./s, 'empty'));
const fieldValue = text([hasOnly(FILE_PLACEHOLDERS), { kind: 'unknownPlaceholder', known: FILE_PLACEHOLDERS }]);

const body: SettingReader<Json> = (given, report) => {
  if (!isJson(given)) return report({ kind: 'notJson' });
  const isKnown = hasOnly(QUERY_PLACEHOLDERS)(given);
  return isKnown ? given : report({ kind: 'unknownPlaceholder', known: QUERY_PLACEHOLDERS });
};

const overrides = section({
  paths: section({ fileTask: path, queryTask: path, setWebhook: path }),
  headers: record(headerName, headerValue),
  fileTask: section({
    filePart: partName,
    fields: record(partName, fieldValue),
    taskId: idPlace,
  }),
  queryTask: section({
    body,
    status: place,
    progress: place,
    message: place,
    states: stateRules,
    statusMeanings: record(text(), oneOf('running', 'succeeded', 'failed')),
    errorMeanings: record(place, oneOf('succeeded', 'failed')),
  }),
  codes: section({ badKey: listOf(text()), tryLater: listOf(text()) }),
});

/**
 * The default contract with a dataset's overrides laid over it, part by part. Takes the settings' value as it came. A
 * part with a fault is left at its default, and the fault named. The headers that INTERFACE.md 4.1 shows, and those that
 * frame a request, cannot be overridden.
 */
export function readContract(settings: unknown): { contract: Contract; faults: readonly PlacedFault[] } {
  const { value: given = {}, faults } = readSetting(overrides, settings ?? {});
  const contract = {
    paths: { ...DEFAULT_CONTRACT.paths, ...given.paths },
    headers: given.headers ?? DEFAULT_CONTRACT.headers,
    fileTask: { ...DEFAULT_CONTRACT.fileTask, ...given.fileTask },
    queryTask: { ...DEFAULT_CONTRACT.queryTask, ...given.queryTask },
    codes: { ...DEFAULT_CONTRACT.codes, ...given.codes },
  };
  return { contract, faults };
}

/**
 * A dataset's overrides, whatever they are, with one part set, or taken out where `value` is undefined. Sections that
 * become empty go too.
 */
export function withOverride(settings: unknown, [key, ...inner]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value;
  const { [key]: part, ...others } = isObject(settings) ? settings : {};
  const changed = withOverride(part, inner, value);
  const isEmpty = inner.length > 0 && isObject(changed) && Object.keys(changed).length === 0;
  return changed === undefined || isEmpty ? others : { ...others, [key]: changed };
}

/** Tells whether a template holds no placeholders but these. */
function hasOnly(known: readonly string[]): (template: Json) => boolean {
  return (template) => placeholdersIn(template).every((name) => known.includes(name));
}

function isJson(value: unknown): value is Json {
  try {
    const json = JSON.stringify(value);
    return json !== undefined && !isTooDeep(json);
  } catch {
    // Nested beyond what can be written.
    return false;
  }
}
