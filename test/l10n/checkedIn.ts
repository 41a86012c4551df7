import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../suites/project';
import type { Texts } from './compareTexts';

/** The texts of a file of translations, or of the manifest's English ones. */
export function readTexts(path: string): Texts {
  return new Map(Object.entries<string>(JSON.parse(readFileSync(join(projectFolder, path), 'utf8'))));
}

/** The files of the Chinese texts: those of the code, and those of the manifest. */
export const chineseFiles = { code: 'l10n/bundle.l10n.zh-cn.json', manifest: 'package.nls.zh-cn.json' };
