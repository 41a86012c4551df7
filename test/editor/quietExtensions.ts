import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { InstalledEditor } from './installEditor';

/**
 * Links the built-in extensions that only contribute data, such as languages and themes. Extensions with code (Git,
 * TypeScript…) slow down window startup, so only those listed in `programs` are linked.
 */
export function linkQuietExtensions(editor: InstalledEditor, folder: string, programs: readonly string[] = []): void {
  mkdirSync(folder, { recursive: true });
  const own = join(editor.vscodeServer, 'extensions');
  for (const { name } of readdirSync(own, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    const manifest = JSON.parse(readFileSync(join(own, name, 'package.json'), 'utf8')) as { main?: string };
    if (manifest.main === undefined || programs.includes(name)) symlinkSync(join(own, name), join(folder, name));
  }
}
