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

/**
 * The media type of the file part, by the file name's ending; `text/plain` for all others, as the shown example imports
 * a text file.
 */
export function mediaTypeOf(fileName: string): string {
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return mediaTypes.get(ending) ?? 'text/plain';
}
