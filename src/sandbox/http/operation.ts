import type { ReceivedPart } from './readForm';
import type { ResponseData } from './response';

/** Where the operations are; of set-webhook only the last segment is shown. */
export const paths = {
  fileTask: '/openapi/open/v1/file-task',
  queryTask: '/openapi/open/v1/query-task',
  setWebhook: '/openapi/open/v1/set-webhook',
} as const;

/**
 * One operation of the service: where it is, what it takes, and what it does with a request that has been read whole.
 * `run` gives the data of the response. @throws RefusedRequest
 */
export type Operation = { readonly path: string } & (
  | { readonly mediaType: 'application/json'; readonly run: (body: unknown) => ResponseData }
  | { readonly mediaType: 'multipart/form-data'; readonly run: (parts: readonly ReceivedPart[]) => ResponseData }
);
