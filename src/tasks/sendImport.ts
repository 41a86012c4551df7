import { CancelledError } from '../service/errors';
import { type HashingBody, hashing } from '../service/hashing';
import type { ImportService } from '../service/importService';
import type { Outcome } from '../service/outcome';
import type { Target } from '../service/requests';
import type { BegunTask } from '../service/taskReport';
import type { Sources } from './sources';
import type { TaskList } from './taskList';
import type { TaskChange } from './taskStore';
import { type Attempt, phaseAfter, type Source, type TrackedTask } from './trackedTask';
import type { Turn } from './turn';

/** What sending takes. */
export interface SendDeps {
  readonly service: ImportService;
  readonly list: TaskList;
  readonly sources: Sources;
  readonly now: () => number;
}

/** What became of one try. */
export type Sent =
  | {
      readonly kind: 'ended';
      readonly outcome: Outcome<BegunTask>;
      readonly attempt: Attempt;
      readonly change: TaskChange;
      /** Whether it came so far that it was written down as being sent. */
      readonly isRecorded: boolean;
    }
  /** Another window has it now: nothing was sent from here. */
  | { readonly kind: 'notOurs' }
  /** It could not be written down that its bytes are about to leave, so none did. */
  | { readonly kind: 'unrecorded'; readonly error: unknown; readonly beganMs: number }
  /** Its turn was put off, or it had no connection that lasted until then: nothing was sent. */
  | { readonly kind: 'notYet'; readonly isLost: boolean };

/**
 * Tries once to send a queued import. All that can be done before its turn is done at once: the file is opened and the
 * connection made. That it is under way is in the store before the first byte of it leaves; how it ended is left to
 * the caller to store.
 */
export async function sendImport(
  { service, list, sources, now }: SendDeps,
  { key, attempts }: TrackedTask,
  source: Source,
  target: Target,
  turn: Turn,
  watch: { readonly signal: AbortSignal; readonly onSent: (sentBytes: number) => void },
): Promise<Sent> {
  let beganMs = now();
  let body: HashingBody | undefined;
  let sent = { sentBytes: 0, totalBytes: 0 };
  let obstacle: (Sent & { kind: 'unrecorded' }) | undefined;
  let beginning: Promise<boolean> | undefined;
  let isOver = false;
  const outcome = await service.fileTask(
    target,
    {
      relativePath: source.relativePath,
      open: async () => {
        body = hashing(await sources.open(key, source));
        return body;
      },
    },
    {
      signal: watch.signal,
      onSent: (sentBytes, totalBytes) => {
        sent = { sentBytes, totalBytes };
        list.setProgress(key, sent);
        watch.onSent(sentBytes);
      },
      beforeBody: async () => {
        if (!(await turn.comes()) || isOver) throw new CancelledError();
        beganMs = now();
        beginning = list.begin(key).catch((error: unknown) => {
          obstacle = { kind: 'unrecorded', error, beganMs };
          return false;
        });
        if (await beginning) return;
        throw new CancelledError();
      },
    },
  );
  isOver = true;
  // Cancelled meanwhile, it may still be on its way into the store: its end must come after that.
  const isRecorded = (await beginning) === true;
  if (beginning !== undefined && !isRecorded) return obstacle ?? { kind: 'notOurs' };
  const cause = 'cause' in outcome ? outcome.cause.name : undefined;
  // What befell a connection beyond those that are used need not befall it in its turn; a file is the same then.
  if (!turn.hasCome && cause !== 'SourceError') return { kind: 'notYet', isLost: cause !== 'CancelledError' };
  const attempt: Attempt = { beganMs, endedMs: now(), ...sent, end: phaseAfter(outcome) };
  const sha256 = body?.sha256();
  return {
    kind: 'ended',
    outcome,
    attempt,
    isRecorded,
    change: {
      attempts: [...attempts, attempt],
      // The file may have been written since it was looked at.
      ...(body === undefined || sha256 === undefined
        ? {}
        : { source: { ...source, sizeBytes: body.sizeBytes, sha256 } }),
    },
  };
}
