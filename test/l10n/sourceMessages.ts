import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { projectFolder } from '../suites/project';

/** The contents of the source files that use `l10n`, without their `vscode` imports. */
export function messageSources(): string[] {
  return globSync('src/**/*.ts', { cwd: projectFolder })
    .map((path) => readFileSync(join(projectFolder, path), 'utf8'))
    .filter((text) => text.includes('l10n'))
    .map((text) => text.replaceAll(/^import [^;]* from 'vscode';$/gm, ''));
}

/**
 * The English messages by key, as @vscode/l10n-dev exports them. The files are joined, because l10n-dev takes 0.1 s per
 * file.
 */
export async function exportMessages(): Promise<Map<string, string>> {
  const imports = "import * as vscode from 'vscode';\nimport { l10n } from 'vscode';";
  const contents = [imports, ...messageSources()].join('\n');
  const bundle = await getL10nJson([{ extension: '.ts', contents }]);
  return new Map(
    Object.entries(bundle).map(([key, value]) => [key, typeof value === 'string' ? value : value.message]),
  );
}
