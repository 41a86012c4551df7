import { accept, refuse } from './answer';
import type { Operation } from './operation';
import type { SandboxTasks } from './sandboxTasks';

const filePart = 'file';

/** Import a file (INTERFACE.md, 4.3): one part named `file` with a file name; the answer's data holds `taskId`. */
export function fileTask(tasks: SandboxTasks): Operation {
  return {
    kind: 'form',
    path: '/openapi/open/v1/file-task',
    run: (parts) => {
      const files = parts.filter(({ name }) => name === filePart);
      const [file] = files;
      if (!file) return refuse('noFile', `The form has no part named "${filePart}".`);
      if (files.length > 1) return refuse('noFile', `The form has ${files.length} parts named "${filePart}".`);
      if (!file.fileName) return refuse('noFile', `The part named "${filePart}" has no file name.`);
      if (file.bytes === 0) return refuse('emptyFile', `The file "${file.fileName}" is empty.`);
      return accept({ taskId: tasks.add(file.fileName, file).id });
    },
  };
}
