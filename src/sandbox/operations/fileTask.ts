import { accept } from '../http/answer';
import { type Operation, paths } from '../http/operation';
import type { Profile } from '../profiles/profile';
import type { SandboxTasks } from '../sandboxTasks';

/** Import a file (INTERFACE.md, 4.3): the form and the answer's data are as the profile has them. */
export function fileTask(tasks: SandboxTasks, { chooseFile, accepted }: Profile): Operation {
  return {
    kind: 'form',
    path: paths.fileTask,
    run: (parts) => {
      const choice = chooseFile(parts);
      if (choice.kind === 'refused') return choice.answer;
      const task = tasks.add(choice.fileName, choice.file);
      return accept(accepted(task, tasks.stageOf(task)));
    },
  };
}
