import * as v from 'valibot';
import { ACCESS_KEY_HEADER, type Contract, DEFAULT_CONTRACT, KIND_HEADERS } from './contract';
import type { Json } from './json';
import { isJsonPointer } from './jsonPointer';

const shownHeaders = [ACCESS_KEY_HEADER, 'Content-Type', ...Object.keys(KIND_HEADERS)];
const framingHeaders = ['Content-Length', 'Transfer-Encoding', 'Host', 'Connection', 'Expect', 'Upgrade', 'Keep-Alive'];
// undici takes it from the proxy's settings alone.
const proxyHeaders = ['Proxy-Authorization'];
const fixedHeaders = new Set([...shownHeaders, ...framingHeaders, ...proxyHeaders].map((name) => name.toLowerCase()));

const pointer = v.pipe(v.string(), v.check(isJsonPointer, 'is not a JSON Pointer such as /taskId'));
const path = v.pipe(
  v.string(),
  v.regex(/^\/[!-~]*$/, 'is not a path that begins with /'),
  v.excludes('#', 'has a # in it'),
);
const headerName = v.pipe(
  v.string(),
  v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'is not a header name'),
  v.check((name) => !fixedHeaders.has(name.toLowerCase()), 'is a header that cannot be changed'),
);
const headerValue = v.pipe(v.string(), v.regex(/^[\t -~\u0080-\u00FF]*$/, 'has characters that a header cannot carry'));
const partName = v.pipe(v.string(), v.nonEmpty('is empty'));
const json = v.custom<Json>((value) => value !== undefined, 'is not JSON');

const own = v.exactOptional;

const overrides = v.strictObject({
  paths: own(v.strictObject({ fileTask: own(path), queryTask: own(path), setWebhook: own(path) })),
  headers: own(v.record(headerName, headerValue)),
  fileTask: own(
    v.strictObject({ filePart: own(partName), fields: own(v.record(partName, v.string())), taskId: own(pointer) }),
  ),
  queryTask: own(
    v.strictObject({
      body: own(json),
      status: own(pointer),
      progress: own(pointer),
      message: own(pointer),
      statusMeanings: own(v.record(v.string(), v.picklist(['running', 'succeeded', 'failed']))),
    }),
  ),
  codes: own(v.strictObject({ badKey: own(v.array(v.string())), tryLater: own(v.array(v.string())) })),
});

/**
 * A contract read from settings, or what is wrong with it: the place (`queryTask.status`) and the fault in words
 * (INTERFACE.md 4: what it does not show is what can be overridden).
 */
export type ReadContract = { readonly contract: Contract } | { readonly at: string; readonly fault: string };

/**
 * The default contract with a dataset's overrides laid over it, part by part. Takes the settings' value as it came;
 * the headers that INTERFACE.md 4.1 shows, and those that frame a request, cannot be overridden.
 */
export function readContract(settings: unknown): ReadContract {
  const read = v.safeParse(overrides, settings ?? {});
  if (!read.success) {
    const [issue] = read.issues;
    return { at: v.getDotPath(issue) ?? '', fault: issue.message };
  }
  const given = read.output;
  return {
    contract: {
      paths: { ...DEFAULT_CONTRACT.paths, ...given.paths },
      headers: given.headers ?? DEFAULT_CONTRACT.headers,
      fileTask: { ...DEFAULT_CONTRACT.fileTask, ...given.fileTask },
      queryTask: { ...DEFAULT_CONTRACT.queryTask, ...given.queryTask },
      codes: { ...DEFAULT_CONTRACT.codes, ...given.codes },
    },
  };
}
