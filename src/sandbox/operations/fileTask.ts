import { type Operation, paths } from '../http/operation';
import { accept } from '../http/response';
import type { Profile } from '../profiles/profile';
import type { SandboxTasks } from '../sandboxTasks';
import { chooseFile } from './chooseFile';

/** Import a file: the response's data is as the profile has it. */
export function fileTask(tasks: SandboxTasks, { accepted }: Profile): Operation {
  return {
    kind: 'form',
    path: paths.fileTask,
    run: (parts) => {
      const choice = chooseFile('file', parts);
      if (choice.kind === 'refused') return choice.response;
      const task = tasks.add(choice.fileName, choice.file);
      return accept(accepted(task, tasks.stageOf(task)));
    },
  };
}
