import type { Contract } from './contract';
import type { FileFacts } from './filePlaceholders';
import { sha256Of } from './hashing';
import type { SourceBody } from './sourceBody';
import { placeholdersIn } from './template';

/**
 * What the placeholders of form fields stand for. The file is read for
 * its hash only where a field asks for that. @throws SourceError where it cannot be
 */
export async function fileFacts({ fileTask }: Contract, file: SourceBody, relativePath: string): Promise<FileFacts> {
  const { name: fileName, sizeBytes: size } = file;
  const facts = { fileName, relativePath, size, taskName: fileName.replace(/(.)\.[^.]*$/, '$1') };
  const needsHash = placeholdersIn({ ...fileTask.fields }).includes('sha256');
  return needsHash ? { ...facts, sha256: await sha256Of(file) } : facts;
}
