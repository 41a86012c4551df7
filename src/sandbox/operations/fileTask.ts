import { type Operation, paths } from '../http/operation';
import type { ReceivedPart } from '../http/readForm';
import { accept, refuse, type SandboxResponse } from '../http/response';
import type { L10n } from '../l10n';
import type { Profile } from '../profiles/profile';
import type { SandboxTasks } from '../sandboxTasks';

/** Import a file: the response's data is as the profile has it. */
export function fileTask(tasks: SandboxTasks, { accepted }: Profile, l10n: L10n): Operation {
  return {
    kind: 'form',
    path: paths.fileTask,
    run: (parts) => {
      const choice = chooseFile('file', parts, l10n);
      if (choice.kind === 'refused') return choice.response;
      const task = tasks.add(choice.fileName, choice.file);
      return accept(accepted(task, tasks.stageOf(task)));
    },
  };
}

/** The file of a form, or why the form is refused. */
type FileChoice =
  | { readonly kind: 'file'; readonly fileName: string; readonly file: ReceivedPart }
  | { readonly kind: 'refused'; readonly response: SandboxResponse };

/** Finds the one part of this name; it must have a file name and not be empty. */
function chooseFile(partName: string, parts: readonly ReceivedPart[], l10n: L10n): FileChoice {
  const refused = (...why: Parameters<typeof refuse>): FileChoice => ({ kind: 'refused', response: refuse(...why) });
  const files = parts.filter(({ name }) => name === partName);
  const [file] = files;
  if (!file) return refused('noFile', l10n.t('The form has no part named "{0}".', partName));
  if (files.length > 1) return refused('noFile', `The form has ${files.length} parts named "${partName}".`);
  if (!file.fileName) return refused('noFile', `The part named "${partName}" has no file name.`);
  if (file.bytes === 0) return refused('emptyFile', `The file "${file.fileName}" is empty.`);
  return { kind: 'file', fileName: file.fileName, file };
}
