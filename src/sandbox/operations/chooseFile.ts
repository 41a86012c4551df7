import type { ReceivedPart } from '../http/readForm';
import { refuse, type SandboxResponse } from '../http/response';

/** The file of a form, or why the form is refused. */
export type FileChoice =
  | { readonly kind: 'file'; readonly fileName: string; readonly file: ReceivedPart }
  | { readonly kind: 'refused'; readonly response: SandboxResponse };

/** Finds the one part of this name; it must have a file name and not be empty. */
export function chooseFile(partName: string, parts: readonly ReceivedPart[]): FileChoice {
  const refused = (...why: Parameters<typeof refuse>): FileChoice => ({ kind: 'refused', response: refuse(...why) });
  const files = parts.filter(({ name }) => name === partName);
  const [file] = files;
  if (!file) return refused('noFile', `The form has no part named "${partName}".`);
  if (files.length > 1) return refused('noFile', `The form has ${files.length} parts named "${partName}".`);
  if (!file.fileName) return refused('noFile', `The part named "${partName}" has no file name.`);
  if (file.bytes === 0) return refused('emptyFile', `The file "${file.fileName}" is empty.`);
  return { kind: 'file', fileName: file.fileName, file };
}
