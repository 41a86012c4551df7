import type { FieldSource, ResponseField } from '../../service/response/recognition';
import { reportsOf } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';

/** Where a field was recognized in the latest response that has it; `nowhere` in all of them, `noResponse` without any. */
export type RecognizedPlace = { readonly pointer: string } | 'nowhere' | 'noResponse';

/** Reads what was recognized in the responses about tasks, the newest task first. */
export function recognizedPlace(tasks: readonly TrackedTask[], field: ResponseField): RecognizedPlace {
  const read = tasks.flatMap((task) => sourcesIn(task, field));
  const found = read.find((source) => source?.how === 'recognized');
  if (found !== undefined) return { pointer: found.pointer };
  return read.length === 0 ? 'noResponse' : 'nowhere';
}

/** Where the field was read in each response about a task; undefined for a response without it. */
function sourcesIn(task: TrackedTask, field: ResponseField): (FieldSource | undefined)[] {
  if (field === 'taskId') return task.hasImportResponse && task.phase.kind === 'accepted' ? [task.taskIdFrom] : [];
  return reportsOf(task).flatMap(({ meaning, from }) => (meaning === 'none' ? [] : [from[field]]));
}
