import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Uri, workspace } from 'vscode';

/** Files in a new folder in the open workspace. */
export class WorkspaceFiles {
  readonly folder: string;

  constructor(name: string) {
    const [root] = workspace.workspaceFolders ?? [];
    if (root === undefined) throw new Error('No folder is open.');
    this.folder = join(root.uri.fsPath, name);
    mkdirSync(this.folder, { recursive: true });
  }

  /** Writes a file and returns its URI. */
  write(name: string, content: string | Uint8Array): Uri {
    const path = join(this.folder, name);
    writeFileSync(path, content);
    return Uri.file(path);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
