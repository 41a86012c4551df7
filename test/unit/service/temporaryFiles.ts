import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { FileToImport } from '../../../src/service/importService';

/** A folder that is gone when the test is. */
export class TemporaryFiles {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<TemporaryFiles> {
    return new TemporaryFiles(await mkdtemp(path.join(os.tmpdir(), 'dataset-import-')));
  }

  /** Writes a file and gives it as one to be imported. */
  async write(name: string, content: string | Uint8Array = 'some text\n'): Promise<FileToImport> {
    const file = this.at(name);
    await writeFile(file.path, content);
    return file;
  }

  /** A file of this folder, whether it is there or not. */
  at(name: string): FileToImport {
    return { path: path.join(this.folder, name), relativePath: `notes/${name}` };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
