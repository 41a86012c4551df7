import { CancelledError, type ServiceError, SourceError, UnexpectedError } from '../service/errors';
import { type HashingBody, hashing } from '../service/hashing';
import type { ImportService } from '../service/importService';
import type { Outcome } from '../service/outcome';
import type { Target } from '../service/requests';
import type { BegunTask } from '../service/taskReport';
import type { Clock } from './clock';
import { orCancelled } from './orCancelled';
import type { Sources } from './sources';
import { stoppableBody } from './stoppableBody';
import { StoreError } from './storeError';
import type { TaskList } from './taskList';
import type { TaskChange } from './taskStore';
import { type Attempt, phaseAfter, type Source, type TrackedTask } from './trackedTask';
import type { Turn } from './turn';

/** What sending takes. */
export interface SendDeps {
  readonly service: ImportService;
  readonly list: TaskList;
  readonly sources: Sources;
  readonly clock: Clock;
}

/** How one try is watched and stopped. */
export interface SendWatch {
  readonly signal: AbortSignal;
  /** It is written down that it is being sent: from now on its bytes may leave. */
  readonly onBegun: () => void;
  readonly onSent: (sentBytes: number) => void;
}

/** What became of one try. */
export type Sent =
  | {
      readonly kind: 'ended';
      readonly outcome: Outcome<BegunTask>;
      /** How long its turn took. */
      readonly tookMs: number;
      readonly change: TaskChange;
      /** Where nothing can have left: whether it is, or will be, marked as being sent all the same. */
      readonly recording: Promise<boolean> | undefined;
    }
  /** Another window has it now: nothing was sent from here. */
  | { readonly kind: 'notOurs' }
  /** It could not be written down that its bytes are about to leave, so none did. */
  | { readonly kind: 'unrecorded'; readonly error: unknown }
  /** Its turn was put off, or it had no connection that lasted until then: nothing was sent. */
  | { readonly kind: 'notYet'; readonly isLost: boolean };

/**
 * Tries once to send a queued import. All that can be done before its turn is done at once: the file is opened and the
 * connection made. That it is under way is in the store before the first byte of it leaves; how it ended is left to
 * the caller to store. Once `signal` aborts it waits for nothing: no file, no hash, no store.
 */
export async function sendImport(
  { service, list, sources, clock }: SendDeps,
  { key, attempts }: TrackedTask,
  source: Source,
  target: Target,
  turn: Turn,
  { signal, onBegun, onSent }: SendWatch,
): Promise<Sent> {
  let [beganMs, beganAt] = [clock.now(), clock.monotonicMs()];
  let body: HashingBody | undefined;
  let sent = { sentBytes: 0, totalBytes: 0 };
  let obstacle: (Sent & { kind: 'unrecorded' }) | undefined;
  let beginning: Promise<boolean> | undefined;
  let isRecorded: boolean | undefined;
  let isOver = false;
  let mayHaveLeft = false;
  let unexpected: UnexpectedError | undefined;
  const open = async (): Promise<HashingBody> => {
    const opened = await orCancelled(sources.open(key, source), signal, (late) => late.close());
    body = stoppableBody(hashing(opened), signal);
    return body;
  };
  const beforeBody = async (): Promise<void> => {
    if (!(await turn.comes()) || isOver) throw new CancelledError();
    [beganMs, beganAt] = [clock.now(), clock.monotonicMs()];
    beginning = list.begin(key).then(
      (begun) => {
        isRecorded = begun;
        return begun;
      },
      (error: unknown) => {
        if (error instanceof StoreError) obstacle = { kind: 'unrecorded', error };
        else unexpected ??= new UnexpectedError({ cause: error });
        isRecorded = false;
        return false;
      },
    );
    if (!(await orCancelled(beginning, signal))) throw new CancelledError();
    mayHaveLeft = true;
    onBegun();
  };
  const ended = await service
    .fileTask(
      target,
      { relativePath: source.relativePath, open },
      {
        signal,
        onSent: (sentBytes, totalBytes) => {
          sent = { sentBytes, totalBytes };
          try {
            list.setProgress(key, sent);
            onSent(sentBytes);
          } catch (cause) {
            unexpected ??= new UnexpectedError({ cause });
            throw cause;
          }
        },
        beforeBody,
      },
    )
    .catch((cause: unknown) => notSent(new UnexpectedError({ cause })));
  isOver = true;
  // Where its connection died meanwhile, it may still be on its way into the store: its end must come after that.
  if (beginning !== undefined) await orCancelled(beginning, signal).catch(() => {});
  if (isRecorded === false && !signal.aborted && unexpected === undefined) return obstacle ?? { kind: 'notOurs' };
  const isUnexplained = unexpected !== undefined && 'cause' in ended;
  const told = isUnexplained ? notSent(unexpected) : ended;
  const outcome = truly(told, mayHaveLeft ? sent : undefined, signal);
  const cause = 'cause' in outcome ? outcome.cause.name : undefined;
  // What befell a connection beyond those that are used need not befall it in its turn; what else went wrong does.
  const isOwn = outcome.kind === 'notSent' && (cause === 'SourceError' || cause === 'UnexpectedError');
  if (!turn.hasCome && !isOwn) return { kind: 'notYet', isLost: cause !== 'CancelledError' };
  const tookMs = clock.monotonicMs() - beganAt;
  const attempt: Attempt = { beganMs, endedMs: beganMs + Math.round(tookMs), ...sent, end: phaseAfter(outcome) };
  const sha256 = body?.sha256();
  return {
    kind: 'ended',
    outcome,
    tookMs,
    recording: mayHaveLeft ? undefined : beginning,
    change: {
      attempts: [...attempts, attempt],
      // The file may have been written since it was looked at.
      ...(body === undefined || sha256 === undefined
        ? {}
        : { source: { ...source, sizeBytes: body.sizeBytes, sha256 } }),
    },
  };
}

function notSent(cause: ServiceError): Outcome<never> {
  return { kind: 'notSent', cause };
}

/** An outcome, told apart by what had left and by who had stopped it. `sent` is undefined where no byte can have left. */
function truly(
  outcome: Outcome<BegunTask>,
  sent: { readonly sentBytes: number; readonly totalBytes: number } | undefined,
  signal: AbortSignal,
): Outcome<BegunTask> {
  if (outcome.kind !== 'notSent') return outcome;
  const { cause } = outcome;
  if (cause.name === 'UnexpectedError' && sent !== undefined) return { kind: 'unconfirmed', cause, ...sent };
  if (signal.aborted) return { kind: 'notSent', cause: new CancelledError() };
  const isChanging = cause.name === 'SourceError' && cause.reason === 'changed';
  return isChanging ? { kind: 'notSent', cause: new SourceError('changing', cause.fileName) } : outcome;
}
