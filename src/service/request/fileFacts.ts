import { sha256Of } from '../content/hashing';
import type { SourceBody } from '../content/sourceBody';
import type { Contract } from '../contract/contract';
import type { FileFacts } from '../contract/filePlaceholders';
import { placeholdersIn } from '../contract/template';

/**
 * What the placeholders of form fields stand for. The file is read for its hash only where a field asks for it.
 * @throws SourceError where it cannot be read
 */
export async function fileFacts({ fileTask }: Contract, file: SourceBody, relativePath: string): Promise<FileFacts> {
  const { name: fileName, sizeBytes: size } = file;
  const facts = { fileName, relativePath, size, taskName: fileName.replace(/(.)\.[^.]*$/, '$1') };
  const needsHash = placeholdersIn({ ...fileTask.fields }).includes('sha256');
  return needsHash ? { ...facts, sha256: await sha256Of(file) } : facts;
}
