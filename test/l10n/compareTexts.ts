import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../suites/project';

/** Strings by key. */
export type Texts = ReadonlyMap<string, string>;

/** The Chinese translations for the code and for the manifest. */
export const chineseFiles = { code: 'l10n/bundle.l10n.zh-cn.json', manifest: 'package.nls.zh-cn.json' };

/** Reads a JSON file of strings. */
export function readTexts(path: string): Texts {
  return new Map(Object.entries<string>(JSON.parse(readFileSync(join(projectFolder, path), 'utf8'))));
}

/** The parts of a string that a translation must not change. */
const UNCHANGED: Readonly<Record<string, RegExp>> = {
  placeholders: /\{\d+\}/g,
  icons: /\$\([\w-]+(?:~\w+)?\)/g,
  'links to commands': /\]\(command:[^)]+\)/g,
  'links to pages': /\]\(https?:[^)]+\)/g,
  settings: /`?#[\w.]+#`?/g,
  'text in backticks': /`[^`]+`/g,
};

/** Describes the mistakes in the translations, one per line. */
export function compareTexts(english: Texts, translated: Texts): string[] {
  return [
    ...[...english.keys()].filter((key) => !translated.has(key)).map((key) => `${quoted(key)} is not translated`),
    ...[...translated.keys()].filter((key) => !english.has(key)).map((key) => `${quoted(key)} is no longer used`),
    ...[...english].flatMap(([key, text]) => changesIn(key, text, translated.get(key) ?? text)),
  ];
}

function changesIn(key: string, english: string, translated: string): string[] {
  if (translated.trim() === '') return [`${quoted(key)} is empty`];
  return Object.entries(UNCHANGED).flatMap(([what, pattern]) => {
    const [wanted, found] = [english, translated].map((text) => (text.match(pattern) ?? []).toSorted().join(' '));
    return wanted === found ? [] : [`${quoted(key)}: ${what} must be "${wanted}", not "${found}"`];
  });
}

/** Quotes a string, truncated to 100 characters. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 99)}…` : text);
}
