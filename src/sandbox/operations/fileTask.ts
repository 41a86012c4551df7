import { type Operation, paths } from '../http/operation';
import { accept } from '../http/response';
import type { Profile } from '../profiles/profile';
import type { SandboxTasks } from '../sandboxTasks';

/** Import a file: the form and the response's data are as the profile has them. */
export function fileTask(tasks: SandboxTasks, { chooseFile, accepted }: Profile): Operation {
  return {
    kind: 'form',
    path: paths.fileTask,
    run: (parts) => {
      const choice = chooseFile(parts);
      if (choice.kind === 'refused') return choice.response;
      const task = tasks.add(choice.fileName, choice.file);
      return accept(accepted(task, tasks.stageOf(task)));
    },
  };
}
