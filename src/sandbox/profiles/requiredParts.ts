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

/** An empty file is left to `chooseFile`, which has a message of its own for it. */
function isFilled({ name, bytes }: ReceivedPart): boolean {
  return name === filePart || bytes > 0;
}

function isFileNameRight(fileName: string, parts: readonly ReceivedPart[]): boolean {
  // Of a part's content only the hash is kept.
  const sha256 = createHash('sha256').update(fileName).digest('hex');
  return parts.every((part) => part.name !== 'fileName' || part.sha256 === sha256);
}
