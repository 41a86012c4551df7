import { type Operation, paths } from '../http/operation';
import type { ReceivedPart } from '../http/readForm';
import { RefusedRequest } from '../http/response';
import type { L10n } from '../l10n';
import type { Profile } from '../profiles/profile';
import type { SandboxTasks } from '../sandboxTasks';

/** Import a file: the response's data is as the profile has it. */
export function fileTask(tasks: SandboxTasks, { accepted }: Profile, l10n: L10n): Operation {
  return {
    path: paths.fileTask,
    mediaType: 'multipart/form-data',
    run: (parts) => {
      const { fileName, file } = chooseFile('file', parts, l10n);
      const task = tasks.add(fileName, file);
      return accepted(task, tasks.stageOf(task));
    },
  };
}

/** Finds the one part of this name; it must have a file name and not be empty. @throws RefusedRequest */
function chooseFile(partName: string, parts: readonly ReceivedPart[], l10n: L10n) {
  const [file, ...others] = parts.filter(({ name }) => name === partName);
  if (!file) throw new RefusedRequest('noFile', l10n.t('The form has no part named "{0}".', partName));
  if (others.length > 0)
    throw new RefusedRequest('noFile', `The form has ${others.length + 1} parts named "${partName}".`);
  const { fileName } = file;
  if (!fileName) throw new RefusedRequest('noFile', `The part named "${partName}" has no file name.`);
  if (file.bytes === 0) throw new RefusedRequest('emptyFile', `The file "${fileName}" is empty.`);
  return { fileName, file };
}
