import type { Answer } from './answer';
import type { ReceivedPart } from './readForm';

/** Where the operations are (INTERFACE.md, 4); of set-webhook only the last segment is shown. */
export const paths = {
  fileTask: '/openapi/open/v1/file-task',
  queryTask: '/openapi/open/v1/query-task',
  setWebhook: '/openapi/open/v1/set-webhook',
} as const;

/**
 * One operation of the service: where it is, which kind of request it takes (INTERFACE.md, 4.1), and what it does with
 * one that has been read whole.
 */
export type Operation =
  | { readonly kind: 'json'; readonly path: string; readonly run: (body: unknown) => Answer }
  | { readonly kind: 'form'; readonly path: string; readonly run: (parts: readonly ReceivedPart[]) => Answer };

/** The media type that an operation takes. */
export function mediaTypeOf(operation: Operation): string {
  switch (operation.kind) {
    case 'json':
      return 'application/json';
    case 'form':
      return 'multipart/form-data';
  }
}
