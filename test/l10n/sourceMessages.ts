import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { projectFolder } from '../suites/project';

export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The source files that use `l10n`. */
export function messageSources(): SourceFile[] {
  return globSync('src/**/*.ts', { cwd: projectFolder })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }))
    .filter(({ text }) => text.includes('l10n'));
}

/** A file's text without its import of `vscode`. Line numbers stay the same. */
function withoutImport(text: string): string {
  return text.replaceAll(/^import [^;]* from 'vscode';$/gm, (lines) => lines.replaceAll(/[^\n]/g, ''));
}

/**
 * The English messages by key, as @vscode/l10n-dev exports them. The files are joined, because l10n-dev takes a tenth of a
 * second per file.
 */
export async function exportMessages(sources: readonly SourceFile[]): Promise<Map<string, string>> {
  const imports = "import * as vscode from 'vscode';\nimport { l10n } from 'vscode';\n";
  const contents = imports + sources.map(({ text }) => withoutImport(text)).join('\n');
  const bundle = await getL10nJson([{ extension: '.ts', contents }]);
  return new Map(
    Object.entries(bundle).map(([key, value]) => [key, typeof value === 'string' ? value : value.message]),
  );
}

/** A string literal without interpolation. */
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`/.source;
const CALL = new RegExp(`^\\.t\\(\\s*(?:(?<text>${LITERAL})\\s*[,)]|\\{\\s*message:\\s*(?<message>${LITERAL}))`);

/** The messages in a file, with escape sequences decoded. @throws Error if a message isn't a literal */
export function messagesIn({ path, text }: SourceFile): string[] {
  return [...withoutImport(text).matchAll(/\bl10n(?=\.t\b)|(?<=\} ?= ?(?:vscode\.)?)l10n\b/g)].map(
    ({ index, input }) => {
      const { groups: { text: own, message } = {} } = CALL.exec(input.slice(index + 'l10n'.length)) ?? {};
      const literal = own ?? message;
      const line = input.slice(0, index).split('\n').length;
      if (literal === undefined)
        throw new Error(`${path}:${line}: the first argument of l10n.t is not a literal, so no bundle has it`);
      return literalValue(literal);
    },
  );
}

function literalValue(literal: string): string {
  return Function(`'use strict'; return ${literal};`)();
}
