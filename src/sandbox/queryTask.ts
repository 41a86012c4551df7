import * as v from 'valibot';
import { accept, refuse } from './answer';
import type { Operation } from './operation';
import { isFinished } from './sandboxTask';
import type { SandboxTasks } from './sandboxTasks';

const Query = v.object({ taskId: v.string() });

/** Query an import task (INTERFACE.md, 4.2): `{"taskId": …}`, answered with how far it is and, at its end, what was read. */
export function queryTask(tasks: SandboxTasks): Operation {
  return {
    kind: 'json',
    path: '/openapi/open/v1/query-task',
    run: (body) => {
      const query = v.safeParse(Query, body);
      if (!query.success) return refuse('badRequest', 'The body must be an object whose "taskId" is a string.');
      const task = tasks.find(query.output.taskId);
      if (!task) return refuse('unknownTask', `There is no task ${JSON.stringify(query.output.taskId.slice(0, 100))}.`);
      const stage = tasks.stageOf(task);
      const { lines, bytes, sha256 } = task.text;
      return accept({
        taskId: task.id,
        fileName: task.fileName,
        ...stage,
        ...(isFinished(stage) ? { lines, bytes, sha256 } : {}),
      });
    },
  };
}
