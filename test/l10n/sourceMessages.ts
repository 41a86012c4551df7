import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nJson } from '@vscode/l10n-dev';
import { projectFolder } from '../suites/project';

/** A file of the source. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** The files of `src` that show messages. */
export function messageSources(): SourceFile[] {
  return globSync('src/**/*.ts', { cwd: projectFolder })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(projectFolder, path), 'utf8') }))
    .filter(({ text }) => text.includes('l10n'));
}

/** The text of a file without its import of `vscode`, whose lines stay empty. */
function withoutImport(text: string): string {
  return text.replaceAll(/^import [^;]* from 'vscode';$/gm, (lines) => lines.replaceAll(/[^\n]/g, ''));
}

/**
 * The English messages by their keys in a bundle, as @vscode/l10n-dev exports them. All files go as one, as it takes a
 * tenth of a second for each file, however short.
 */
export async function exportMessages(sources: readonly SourceFile[]): Promise<Map<string, string>> {
  const imports = "import * as vscode from 'vscode';\nimport { l10n } from 'vscode';\n";
  const contents = imports + sources.map(({ text }) => withoutImport(text)).join('\n');
  const bundle = await getL10nJson([{ extension: '.ts', contents }]);
  return new Map(
    Object.entries(bundle).map(([key, value]) => [key, typeof value === 'string' ? value : value.message]),
  );
}

/** A string without parts that are put in. */
const LITERAL = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`/.source;
const CALL = new RegExp(`^\\.t\\(\\s*(?:(?<text>${LITERAL})\\s*[,)]|\\{\\s*message:\\s*(?<message>${LITERAL}))`);

/** The messages that stand in a file, each as it is at run time. @throws Error where one is not a literal */
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

/** The value of a literal, as the compiler reads it. */
function literalValue(literal: string): string {
  return Function(`'use strict'; return ${literal};`)();
}
