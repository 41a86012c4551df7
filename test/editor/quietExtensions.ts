import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledEditor } from './installEditor';

/**
 * Fills the folder with those of the editor's own extensions that are no programs: its languages, themes and icons. The
 * programs (Git, TypeScript, npm, GitHub…) take a good part of what the start of a window costs.
 */
export function linkQuietExtensions(editor: InstalledEditor, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const own = join(editor.vscodeServer, 'extensions');
  for (const { name } of readdirSync(own, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const manifest = JSON.parse(readFileSync(join(own, name, 'package.json'), 'utf8')) as { main?: string };
    if (manifest.main === undefined) symlinkSync(join(own, name), join(folder, name));
  }
}
