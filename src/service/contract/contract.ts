import { type Json, leafText } from '../json/json';

/** The meanings that the user can give to a status. INTERFACE.md 3 doesn't define any meanings. */
export const KNOWN_MEANINGS = ['running', 'succeeded', 'failed'] as const;
export type KnownMeaning = (typeof KNOWN_MEANINGS)[number];

/** How a file name is encoded in the form part. */
export type FileNameEncoding = 'utf8' | 'percent' | 'both';

/** The meaning of a status. Unknown is neither success nor failure. */
export type StatusMeaning = KnownMeaning | 'unknown';

/** Where tasks' states are read from: the state expression, the pointer to the status, or null for the usual names. */
export function stateSource({ state, status }: Contract['queryTask']): string | null {
  return state ?? status ?? null;
}

/** Every operation is a POST (section 4 of INTERFACE.md). */
export const METHOD = 'POST';

/** The header that carries the access key, as shown in INTERFACE.md 5. */
export const ACCESS_KEY_HEADER = 'Access-Key';

/** The content types of the two kinds of requests, as shown in INTERFACE.md 4.1. */
export const CONTENT_TYPES = { query: 'application/json', file: 'multipart/form-data' } as const;

/**
 * The other headers of both kinds of requests, as shown in INTERFACE.md 4.1 (rule 3). set-webhook requests don't have
 * them (rule 4).
 */
export const KIND_HEADERS = { 'cache-control': 'no-cache', scheme: 'https' } as const;

/** The code of a normal response, as shown in INTERFACE.md 2.1 and 4.6. */
export const SUCCESS_CODE = '0';

/** Whether a code is the success code or a number equal to 0, such as `0.0`. */
export function isSuccessCode(code: Json | undefined): boolean {
  return (
    code === SUCCESS_CODE || (typeof code !== 'string' && /^-?0(?:\.0+)?(?:e[+-]?\d+)?$/i.test(leafText(code) ?? ''))
  );
}

/** Everything that we assume because INTERFACE.md doesn't show it. A dataset can override each part under `contract`. */
const assumptions = {
  paths: {
    /** This path is shown in INTERFACE.md 4.3, but a gateway in front of the service may change it. */
    fileTask: '/openapi/open/v1/file-task',
    /** This path is shown in INTERFACE.md 4.2, but a gateway in front of the service may change it. */
    queryTask: '/openapi/open/v1/query-task',
    /** This path is assumed, because INTERFACE.md 4.4 shows only its last segment. */
    setWebhook: '/openapi/open/v1/set-webhook',
  },
  /** Additional headers. We assume that none are needed, because INTERFACE.md 4.1 doesn't show any others. */
  headers: {} as Readonly<Record<string, string>>,
  fileTask: {
    /**
     * The name of the form part that contains the file. Assumed, because INTERFACE.md 4.3 doesn't show the form parts.
     */
    filePart: 'file',
    /**
     * If undefined, the media type depends on the file extension. This is an assumption, because INTERFACE.md 4.3
     * doesn't specify a media type.
     */
    mediaType: undefined as string | undefined,
    /**
     * We assume that file names are sent in UTF-8, as in browsers, because INTERFACE.md 4.3 doesn't show the encoding.
     * `percent` encodes the name as in a URL; `both` sends the name in UTF-8 and also as `filename*` (RFC 5987).
     */
    fileNameEncoding: 'utf8' as FileNameEncoding,
    /**
     * Additional form fields, whose values may contain placeholders. We assume that none are needed, because
     * INTERFACE.md 4.3 doesn't show any.
     */
    fields: {} as Readonly<Record<string, string>>,
    /**
     * A JSON Pointer into `data`. INTERFACE.md 4.3 doesn't specify what `data` contains. The segment `${each}` selects
     * every element of an array, for files that become multiple tasks. If undefined, we look for the ID under common
     * names.
     */
    taskId: undefined as string | undefined,
  },
  queryTask: {
    /** Template for the request body. Assumed, because INTERFACE.md 4.2 doesn't show the request fields. */
    body: { taskId: '${taskId}' } as Json,
    /**
     * JSON Pointers into `data`, which INTERFACE.md 4.2 doesn't show. The segment `${taskId}` selects the list element
     * that contains our task ID, or the map entry whose key is our task ID. If undefined, we look for the field under
     * common names.
     */
    status: undefined as string | undefined,
    progress: undefined as string | undefined,
    message: undefined as string | undefined,
    /**
     * A JMESPath expression over `data` that yields `running`, `succeeded` or `failed`, for services that report the
     * state in more than one field. It overrides the status. By default, we assume that no expression is needed,
     * because INTERFACE.md 3 doesn't show states.
     */
    state: undefined as string | undefined,
    /**
     * What each status means. The user can set this, because INTERFACE.md 3 doesn't define any statuses. These meanings
     * take precedence over the usual meanings of common words.
     */
    statusMeanings: {} as Readonly<Record<string, KnownMeaning>>,
  },
  codes: {
    /**
     * Envelope codes that mean "bad key". We assume that there are none, because INTERFACE.md 5 and 7 don't show any.
     */
    badKey: [] as readonly string[],
    /** Envelope codes that mean "try later". We assume that there are none, because INTERFACE.md 7 doesn't show any. */
    tryLater: [] as readonly string[],
  },
};

/** The assumptions with a dataset's overrides applied. */
export type Contract = { readonly [Part in keyof typeof assumptions]: Readonly<(typeof assumptions)[Part]> };

/** The contract of a dataset without overrides. */
export const DEFAULT_CONTRACT: Contract = assumptions;
