import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const fileBytes = 4096;

/** Fills a new folder with small text files, `0000.txt` and so on, and returns their paths. */
export function makeFiles(folder: string, count: number): string[] {
  mkdirSync(folder);
  return Array.from({ length: count }, (_, number) => {
    const path = join(folder, `${String(number).padStart(4, '0')}.txt`);
    writeFileSync(path, Buffer.alloc(fileBytes, `line of text in file ${number}\n`));
    return path;
  });
}
