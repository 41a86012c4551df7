import * as v from 'valibot';
import { type Operation, paths } from '../http/operation';
import { RefusedRequest } from '../http/response';
import type { L10n } from '../l10n';
import type { Profile } from '../profiles/profile';
import type { SandboxTasks } from '../sandboxTasks';

/** Query an import task: the body names a task, and the response's data says how far it is. */
export function queryTask(tasks: SandboxTasks, { query, found }: Profile, l10n: L10n): Operation {
  return {
    path: paths.queryTask,
    mediaType: 'application/json',
    run: (body) => {
      const asked = v.safeParse(query.taskId, body);
      if (!asked.success) throw new RefusedRequest('badRequest', query.wanted(l10n));
      const id = asked.output;
      const task = tasks.find(id);
      if (!task)
        throw new RefusedRequest('unknownTask', l10n.t('There is no task {0}.', JSON.stringify(id.slice(0, 100))));
      return found(task, tasks.stageOf(task));
    },
  };
}
