import type { TextReading } from './http/readText';
import type { L10n } from './l10n';

/** One import as the sandbox keeps it. */
export interface SandboxTask {
  readonly id: string;
  readonly fileName: string;
  readonly text: TextReading;
  /** In milliseconds, by the sandbox's clock. */
  readonly createdAt: number;
}

/** How far a task is. The words are the sandbox's own: states are not shown. */
export type TaskStage =
  | { readonly status: 'QUEUED' | 'RUNNING' | 'SUCCEEDED'; readonly progress: number; readonly message: null }
  | { readonly status: 'FAILED'; readonly progress: number; readonly message: string };

/** How many stages a task takes: one of waiting, two of work. */
const stagesInAll = 3;

/** The stage of a task at a time, computed from its age, so that nothing has to run meanwhile. */
function stageAt(task: SandboxTask, now: number, stageMs: number, l10n: L10n): TaskStage {
  const elapsedMs = now - task.createdAt;
  const reachable = reachableProgress(task.text);
  if (elapsedMs >= stagesInAll * stageMs) return lastStage(task.text, reachable, l10n);
  if (elapsedMs < stageMs) return { status: 'QUEUED', progress: 0, message: null };
  const worked = (elapsedMs - stageMs) / ((stagesInAll - 1) * stageMs);
  return { status: 'RUNNING', progress: Math.min(reachable, Math.floor(worked * 100)), message: null };
}

/** Whether a task has come to its end, good or bad. */
export function isFinished({ status }: TaskStage): boolean {
  return status === 'SUCCEEDED' || status === 'FAILED';
}

function lastStage({ invalid }: TextReading, progress: number, l10n: L10n): TaskStage {
  if (!invalid) return { status: 'SUCCEEDED', progress, message: null };
  const value = invalid.value.toString(16).toUpperCase().padStart(2, '0');
  const message = l10n.t('The text is not UTF-8: see byte {0}, counted from 0, which is 0x{1}.', invalid.offset, value);
  return { status: 'FAILED', progress, message };
}

/** A text that is not UTF-8 is processed up to its first invalid byte. */
function reachableProgress({ invalid, bytes }: TextReading): number {
  return invalid ? Math.floor((invalid.offset / bytes) * 100) : 100;
}

/** More than one import of ten thousand files; older tasks are forgotten. */
const maxTasks = 20_000;

/** All tasks of a sandbox. */
export class SandboxTasks {
  readonly #now: () => number;
  readonly #stageMs: number;
  readonly #newId: () => string;
  readonly #onFinish: (task: SandboxTask, stage: TaskStage) => void;
  readonly #l10n: L10n;
  readonly #tasks = new Map<string, SandboxTask>();
  /** In the order of their ends, as all take the same time. */
  readonly #unfinished: SandboxTask[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** `stageMs` is the length of a task's stage; `onFinish` is called once for each task, with its last stage. */
  constructor(
    now: () => number,
    stageMs: number,
    newId: () => string,
    onFinish: (task: SandboxTask, stage: TaskStage) => void,
    l10n: L10n,
  ) {
    this.#now = now;
    this.#stageMs = stageMs;
    this.#newId = newId;
    this.#onFinish = onFinish;
    this.#l10n = l10n;
  }

  add(fileName: string, text: TextReading): SandboxTask {
    const task = { id: this.#newId(), fileName, text, createdAt: this.#now() };
    this.#tasks.set(task.id, task);
    this.#unfinished.push(task);
    const [oldest] = this.#tasks.keys();
    if (oldest !== undefined && this.#tasks.size > maxTasks) this.#tasks.delete(oldest);
    this.#wakeAtNextFinish();
    return task;
  }

  find(id: string): SandboxTask | undefined {
    return this.#tasks.get(id);
  }

  stageOf(task: SandboxTask): TaskStage {
    return stageAt(task, this.#now(), this.#stageMs, this.#l10n);
  }

  /** Calls the listener for the tasks that have finished. A timer calls this; an earlier call does no harm. */
  noticeFinished(): void {
    for (let task = this.#unfinished[0]; task; task = this.#unfinished[0]) {
      const stage = this.stageOf(task);
      if (!isFinished(stage)) break;
      this.#unfinished.shift();
      this.#onFinish(task, stage);
    }
    this.#wakeAtNextFinish();
  }

  dispose(): void {
    this.#unfinished.length = 0;
    clearTimeout(this.#timer);
  }

  #wakeAtNextFinish(): void {
    clearTimeout(this.#timer);
    const [next] = this.#unfinished;
    if (!next) return;
    const waitMs = next.createdAt + stagesInAll * this.#stageMs - this.#now();
    this.#timer = setTimeout(() => this.noticeFinished(), Math.max(0, waitMs)).unref();
  }
}
