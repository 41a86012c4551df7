import * as v from 'valibot';
import { stringifyJson } from '../http/exactJson';
import { type Operation, paths } from '../http/operation';
import { accept, refuse } from '../http/response';
import type { Profile } from '../profiles/profile';
import type { TaskId } from '../sandboxTask';
import type { SandboxTasks } from '../sandboxTasks';

/** Query an import task: the body names a task, and the response's data tells how far it is. */
export function queryTask(tasks: SandboxTasks, { query, found }: Profile): Operation {
  return {
    kind: 'json',
    path: paths.queryTask,
    run: (body) => {
      const asked = v.safeParse(query.taskId, body);
      if (!asked.success) return refuse('badRequest', `The body must be ${query.wanted}.`);
      const id = asked.output;
      const task = tasks.find(id);
      if (!task) return refuse('unknownTask', `There is no task ${shown(id)}.`);
      return accept(found(task, tasks.stageOf(task)));
    },
  };
}

/** As JSON has it, so that a string that looks like a number is seen to be a string. */
function shown(id: TaskId): string {
  return stringifyJson(typeof id === 'string' ? id.slice(0, 100) : id);
}
