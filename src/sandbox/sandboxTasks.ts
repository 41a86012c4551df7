import type { TextReading } from './http/readText';
import type { L10n } from './l10n';
import { isFinished, type SandboxTask, stageAt, type TaskStage, taskDuration } from './sandboxTask';

/** The sandbox's clock. */
export interface SandboxClock {
  /** In milliseconds. */
  readonly now: () => number;
  /** The length of a task's stage. */
  readonly stageMs: number;
}

/** Called once for each task, with its last stage. */
export type FinishListener = (task: SandboxTask, stage: TaskStage) => void;

/** More than one import of ten thousand files; older tasks are forgotten. */
const maxTasks = 20_000;

/** All tasks of a sandbox. */
export class SandboxTasks {
  readonly #clock: SandboxClock;
  readonly #newId: () => string;
  readonly #onFinish: FinishListener;
  readonly #l10n: L10n;
  readonly #tasks = new Map<string, SandboxTask>();
  /** In the order of their ends, as all take the same time. */
  readonly #unfinished: SandboxTask[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: SandboxClock, newId: () => string, onFinish: FinishListener, l10n: L10n) {
    this.#clock = clock;
    this.#newId = newId;
    this.#onFinish = onFinish;
    this.#l10n = l10n;
  }

  add(fileName: string, text: TextReading): SandboxTask {
    const task = { id: this.#newId(), fileName, text, createdAt: this.#clock.now() };
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
    return stageAt(task, this.#clock.now(), this.#clock.stageMs, this.#l10n);
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
    const waitMs = next.createdAt + taskDuration(this.#clock.stageMs) - this.#clock.now();
    this.#timer = setTimeout(() => this.noticeFinished(), Math.max(0, waitMs)).unref();
  }
}
