import { sha256Of } from '../content/hashing';
import type { SourceBody } from '../content/sourceBody';
import type { Contract } from '../contract/contract';
import { type FileFacts, placeholdersIn } from '../contract/template';

/**
 * The values of the placeholders in form fields. Reads the file to hash it only if a field contains `${sha256}`.
 * @throws SourceError if the file can't be read
 */
export async function fileFacts({ fileTask }: Contract, file: SourceBody, relativePath: string): Promise<FileFacts> {
  const facts = namedFacts(fileTask, file.name, relativePath, file.sizeBytes);
  const needsHash = placeholdersIn({ ...fileTask.fields }).includes('sha256');
  return needsHash ? { ...facts, sha256: await sha256Of(file) } : facts;
}

/** The values that don't depend on the file's content. */
export function namedFacts(
  { mediaType }: Pick<Contract['fileTask'], 'mediaType'>,
  fileName: string,
  relativePath: string,
  size: number,
): FileFacts {
  const [, taskName = fileName, extension = ''] = /^(.+)\.([^.]*)$/s.exec(fileName) ?? [];
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  // The shown example imports a text file.
  const usual = mediaTypes.get(ending) ?? 'text/plain';
  return { fileName, relativePath, extension, mediaType: mediaType ?? usual, size, taskName };
}

/** Media types by file extension. */
const mediaTypes = new Map(
  Object.entries({
    csv: 'text/csv',
    htm: 'text/html',
    html: 'text/html',
    json: 'application/json',
    jsonl: 'application/x-ndjson',
    markdown: 'text/markdown',
    md: 'text/markdown',
    ndjson: 'application/x-ndjson',
    tsv: 'text/tab-separated-values',
    xml: 'application/xml',
    yaml: 'application/yaml',
    yml: 'application/yaml',
  }),
);
