import type { ReceivedPart } from './readForm';
import type { SandboxResponse } from './response';

/** Where the operations are; of set-webhook only the last segment is shown. */
export const paths = {
  fileTask: '/openapi/open/v1/file-task',
  queryTask: '/openapi/open/v1/query-task',
  setWebhook: '/openapi/open/v1/set-webhook',
} as const;

/**
 * One operation of the service: where it is, which kind of request it takes, and what it does with one that has been
 * read whole.
 */
export type Operation =
  | { readonly kind: 'json'; readonly path: string; readonly run: (body: unknown) => SandboxResponse }
  | { readonly kind: 'form'; readonly path: string; readonly run: (parts: readonly ReceivedPart[]) => SandboxResponse };

/** The media type that an operation takes. */
export function mediaTypeOf(operation: Operation): string {
  switch (operation.kind) {
    case 'json':
      return 'application/json';
    case 'form':
      return 'multipart/form-data';
  }
}
