import type { AcceptedContent } from '../rows/acceptedContents';
import type { TrackedTask } from '../trackedTask';

/** How a file that was chosen stands beside what a destination has. */
export type Standing =
  /** Nothing is known of it there. */
  | { readonly kind: 'new' }
  /** It has changed since it was imported, or since its import failed. */
  | { readonly kind: 'changed' }
  /** Its import failed, or is unconfirmed, and it has not changed since, as far as that is known. */
  | { readonly kind: 'failed'; readonly task: TrackedTask; readonly earlier: AcceptedContent | undefined }
  /** It has changed, but the service still works on the task of its earlier import. */
  | { readonly kind: 'running'; readonly task: TrackedTask }
  /** Its content is there from a file that is no longer where it was. */
  | { readonly kind: 'moved'; readonly earlier: AcceptedContent }
  /** Its content is there from another file. */
  | { readonly kind: 'copied'; readonly earlier: AcceptedContent }
  /** The destination has it as it is, or may have. */
  | { readonly kind: 'unchanged'; readonly earlier: AcceptedContent }
  /** It is still to be sent, or being sent. */
  | { readonly kind: 'open'; readonly task: TrackedTask };

export type StandingKind = Standing['kind'];
