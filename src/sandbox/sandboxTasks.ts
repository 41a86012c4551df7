import type { InvalidText, ReceivedFile } from './readForm';

/** Translates the sandbox's messages. `{0}`, `{1}` and so on are replaced with the values, as in VS Code's `l10n`. */
export interface L10n {
  t(message: string, ...values: (string | number)[]): string;
}

/** The sandbox's tasks. A task goes through three stages before it finishes: one queued, two running. */
export class SandboxTasks {
  readonly #tasks = new Map<string, { readonly file: ReceivedFile; readonly createdMs: number }>();

  constructor(
    private readonly now: () => number,
    private readonly stageMs: number,
    private readonly l10n: L10n,
  ) {}

  add(id: string, file: ReceivedFile): void {
    this.#tasks.set(id, { file, createdMs: this.now() });
  }

  /** The `data` of a query-task response, or undefined if there is no such task. Computed from the task's age. */
  report(id: string): Readonly<Record<string, unknown>> | undefined {
    const task = this.#tasks.get(id);
    if (task === undefined) return undefined;
    const { fileName, invalid } = task.file;
    const about = { taskId: id, fileName };
    const stages = (this.now() - task.createdMs) / this.stageMs;
    if (stages < 1) return { ...about, status: 'QUEUED', progress: 0, message: null };
    if (stages < 3) return { ...about, status: 'RUNNING', progress: Math.floor((stages - 1) * 50), message: null };
    return invalid === undefined
      ? { ...about, status: 'SUCCEEDED', progress: 100, message: null }
      : { ...about, status: 'FAILED', message: notUtf8(invalid, this.l10n) };
  }
}

function notUtf8({ line, column }: InvalidText, l10n: L10n): string {
  return l10n.t(
    'Line {0}, column {1} is not UTF-8. Reopen the file with its own encoding, then save it as UTF-8.',
    line,
    column,
  );
}
