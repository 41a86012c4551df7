import { createHash } from 'node:crypto';
import type { ReceivedPart } from '../http/readForm';
import { refuse } from '../http/response';
import { chooseFile } from '../operations/chooseFile';
import type { Profile } from './profile';
import { standard } from './standard';

const filePart = 'document';
const fields = ['datasetCode', 'fileName'];

/** The file part has another name, and two fields must come with it. */
export const requiredParts: Profile = {
  ...standard,
  chooseFile: (parts) => {
    const missing = [filePart, ...fields].filter((name) => !parts.some((part) => part.name === name && isFilled(part)));
    if (missing.length > 0) {
      const reason = missing.map((name) => `form part '${name}' is required`).join('; ');
      return { kind: 'refused', response: refuse('missingPart', reason) };
    }
    const choice = chooseFile(filePart, parts);
    if (choice.kind === 'refused' || isFileNameRight(choice.fileName, parts)) return choice;
    const reason = `form part 'fileName' must be the name of the file, "${choice.fileName}"`;
    return { kind: 'refused', response: refuse('wrongField', reason) };
  },
};

/** A file may be empty here: that is told in other words. */
function isFilled({ name, bytes }: ReceivedPart): boolean {
  return name === filePart || bytes > 0;
}

function isFileNameRight(fileName: string, parts: readonly ReceivedPart[]): boolean {
  // The content of a part is not kept, its hash is.
  const sha256 = createHash('sha256').update(fileName).digest('hex');
  return parts.every((part) => part.name !== 'fileName' || part.sha256 === sha256);
}
