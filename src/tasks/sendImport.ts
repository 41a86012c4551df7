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

/** What sending takes. */
export interface SendDeps {
  readonly service: ImportService;
  readonly list: TaskList;
  readonly sources: Sources;
  readonly now: () => number;
}

/** What became of one try. */
export type Sent =
  | { readonly kind: 'ended'; readonly outcome: Outcome<BegunTask>; readonly change: TaskChange }
  /** Another window has it now: nothing was sent from here. */
  | { readonly kind: 'notOurs' }
  /** It could not be written down that its bytes are about to leave, so none did. */
  | { readonly kind: 'unrecorded'; readonly error: unknown };

/**
 * Tries once to send a queued import. That it is under way is in the store before the first byte of it leaves; how it
 * ended is left to the caller to store.
 */
export async function sendImport(
  { service, list, sources, now }: SendDeps,
  { key, attempts }: TrackedTask,
  source: Source,
  target: Target,
  watch: { readonly signal: AbortSignal; readonly onSent: (sentBytes: number) => void },
): Promise<Sent> {
  const beganMs = now();
  let body: HashingBody | undefined;
  let sent = { sentBytes: 0, totalBytes: 0 };
  let obstacle: Exclude<Sent, { kind: 'ended' }> | undefined;
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
        const isOurs = await list.begin(key).catch((error: unknown) => {
          obstacle = { kind: 'unrecorded', error };
          return false;
        });
        if (isOurs) return;
        obstacle ??= { kind: 'notOurs' };
        throw new CancelledError();
      },
    },
  );
  if (obstacle !== undefined) return obstacle;
  const attempt: Attempt = { beganMs, endedMs: now(), ...sent, end: phaseAfter(outcome) };
  const sha256 = body?.sha256();
  return {
    kind: 'ended',
    outcome,
    change: {
      attempts: [...attempts, attempt],
      ...(sha256 === undefined ? {} : { source: { ...source, sha256 } }),
    },
  };
}
