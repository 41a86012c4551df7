import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { FileBody } from '../../../src/service/content/fileBody';
import type { ImportSource } from '../../../src/service/content/sourceBody';

/** A file on disk that can be imported. */
export interface FileToImport extends ImportSource {
  readonly path: string;
}

/** A folder that is deleted after the test. */
export class TemporaryFiles {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(parent = os.tmpdir()): Promise<TemporaryFiles> {
    return new TemporaryFiles(await mkdtemp(path.join(parent, 'dataset-import-')));
  }

  /** Writes a file that can be imported. */
  async write(name: string, content: string | Uint8Array = 'some text\n'): Promise<FileToImport> {
    const file = this.at(name);
    await writeFile(file.path, content);
    return file;
  }

  /** A file in this folder. It doesn't have to exist. */
  at(name: string): FileToImport {
    const file = path.join(this.folder, name);
    return { path: file, relativePath: `notes/${name}`, open: () => FileBody.open(file) };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
