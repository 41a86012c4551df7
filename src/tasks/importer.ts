import { FileBody } from '../service/fileBody';
import type { ImportService } from '../service/importService';
import { stringifyJson } from '../service/json';
import type { Outcome } from '../service/outcome';
import type { Target } from '../service/requests';
import type { BegunTask } from '../service/taskReport';
import type { TaskList } from './taskList';
import type { TaskChange } from './taskStore';
import { LEASE_MS } from './taskStore';
import { type NewTask, newTask, phaseAfter, type Source, type TrackedTask } from './trackedTask';

/** A file that was looked at and can be sent. */
export interface CheckedFile extends Source {
  /** The path inside the workspace; the file's name where it is outside. */
  readonly relativePath: string;
}

/** How one import ended, and the task that tells of it. */
export interface ImportResult {
  readonly task: TrackedTask;
  readonly outcome: Outcome<BegunTask>;
}

/** A dataset to import to. */
export interface Destination {
  readonly dataset: string;
  readonly target: Target;
}

/** Sends files to a dataset and keeps the record of each: it is stored before the first byte leaves. */
export class Importer {
  readonly #service: ImportService;
  readonly #list: TaskList;
  readonly #now: () => number;
  readonly #sending = new Set<number>();
  #renewal: NodeJS.Timeout | undefined;

  constructor(service: ImportService, list: TaskList, now: () => number) {
    this.#service = service;
    this.#list = list;
    this.#now = now;
  }

  /** Looks at a file before anything is sent. @throws SourceError where it cannot be imported */
  async check(path: string, relativePath: string): Promise<CheckedFile> {
    const file = await FileBody.open(path);
    await file.close();
    return { path, relativePath, name: file.name, sizeBytes: file.sizeBytes };
  }

  /**
   * Imports files, one after another, each to exactly one outcome; stops before the next file where `signal` aborts.
   * `onSent` is told how many bytes of the present file's request have left. @throws StoreError before anything is sent
   */
  async *import(
    files: readonly CheckedFile[],
    to: Destination,
    signal: AbortSignal,
    onSent: (sentBytes: number) => void = () => {},
  ): AsyncGenerator<ImportResult> {
    for (const file of files) {
      if (signal.aborted) return;
      const [task] = await this.#list.add([newTask({ ...told(file), dataset: to.dataset, createdMs: this.#now() })]);
      if (task !== undefined) yield { task, outcome: await this.#send(task, file, to, signal, onSent) };
    }
  }

  /** Ends the renewal of leases. */
  dispose(): void {
    clearInterval(this.#renewal);
    this.#renewal = undefined;
  }

  async #send(
    task: TrackedTask,
    file: CheckedFile,
    { target }: Destination,
    signal: AbortSignal,
    onSent: (sentBytes: number) => void,
  ): Promise<Outcome<BegunTask>> {
    const show = (sentBytes: number, totalBytes: number) => {
      this.#list.setProgress(task.key, { sentBytes, totalBytes });
      onSent(sentBytes);
    };
    this.#keepLease(task.key);
    try {
      const outcome = await this.#service.fileTask(target, file, { signal, onSent: show });
      await this.#list.change(task.key, { ...changeAfter(outcome), checkedMs: this.#now() });
      return outcome;
    } finally {
      this.#endLease(task.key);
    }
  }

  /** One rhythm for all that is being sent: files that begin and end meanwhile must not set it back. */
  #keepLease(key: number): void {
    this.#sending.add(key);
    const renew = () =>
      this.#list.renewLeases(this.#sending).catch((error: unknown) => this.#list.events.emit('unsaved', error));
    this.#renewal ??= setInterval(renew, LEASE_MS / 3);
  }

  #endLease(key: number): void {
    this.#sending.delete(key);
    if (this.#sending.size === 0) this.dispose();
  }
}

function told({ path, name, sizeBytes }: CheckedFile): Pick<NewTask, 'source' | 'phase'> {
  return { source: { path, name, sizeBytes }, phase: { kind: 'sending' } };
}

function changeAfter(outcome: Outcome<BegunTask>): TaskChange {
  const phase = phaseAfter(outcome);
  if (outcome.kind === 'accepted') {
    const { taskId, from } = outcome.taken;
    const answer = stringifyJson(outcome.answer.envelope);
    return { phase, taskId, taskIdFrom: from, importAnswer: answer, lastAnswer: answer };
  }
  const hasAnswer = outcome.kind === 'rejected' && outcome.refusal.by === 'envelope';
  return hasAnswer ? { phase, lastAnswer: stringifyJson(outcome.refusal.answer.envelope) } : { phase };
}
