import { createReadStream } from 'node:fs';

/** Where a byte of a text file in UTF-8 is, both counted from 0; past the end of the file, its end. */
export async function positionOfByte(
  path: string,
  offset: number,
): Promise<{ readonly line: number; readonly character: number }> {
  // Holds back a character until all its bytes are there, and leaves out a byte order mark, as editors do.
  const decoder = new TextDecoder();
  let line = 0;
  let character = 0;
  if (offset <= 0) return { line, character };
  // Read in parts, as the file may be larger than the memory.
  for await (const bytes of createReadStream(path, { end: offset - 1 })) {
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    const added = lines.at(-1)?.length ?? 0;
    character = lines.length === 1 ? character + added : added;
    line += lines.length - 1;
  }
  return { line, character };
}
