import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import type { Texts } from './compareTexts';

/** Reads a JSON file of strings. */
export function readTexts(path: string): Texts {
  return new Map(Object.entries<string>(JSON.parse(readFileSync(join(projectFolder, path), 'utf8'))));
}

/** The Chinese translations for the code and for the manifest. */
export const chineseFiles = { code: 'l10n/bundle.l10n.zh-cn.json', manifest: 'package.nls.zh-cn.json' };
