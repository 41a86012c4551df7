import { type TaskId, taskIdText } from '../../service/json/taskId';

/** How many task IDs are remembered. A response that comes twice comes within seconds. */
const MAX_IDS = 1000;

/** The task IDs of the files that this window uploaded last to a destination. */
export class AcceptedTaskIds {
  readonly #files = new Map<string, { readonly name: string; readonly sha256: string }>();

  /** Records the IDs of a file; returns the name of another file with other content that has one of them. */
  record(ids: readonly TaskId[], file: { readonly name: string; readonly sha256: string }): string | undefined {
    for (const id of ids) {
      const key = taskIdText(id);
      const known = this.#files.get(key);
      if (known !== undefined && known.sha256 !== file.sha256) return known.name;
      this.#files.set(key, file);
    }
    for (const key of this.#files.keys()) {
      if (this.#files.size <= MAX_IDS) break;
      this.#files.delete(key);
    }
    return undefined;
  }
}
