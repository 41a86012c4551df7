import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PACK = { publisher: 'dataset-import-tests', name: 'language-pack', version: '1.0.0' };

/**
 * Installs an empty language pack: VS Code's own text stays English, but extensions use the language. VS Code reads
 * `languagepacks.json` before it scans the extensions, so the pack is listed there too.
 */
export function installLanguage(dataFolder: string, extensionsFolder: string, locale: string): void {
  const id = `${PACK.publisher}.${PACK.name}`;
  const folder = join(extensionsFolder, `${id}-${PACK.version}`);
  const translations = join(folder, 'translations', 'main.json');
  const localization = { languageId: locale, translations: [{ id: 'vscode', path: './translations/main.json' }] };
  const manifest = { ...PACK, engines: { vscode: '*' }, contributes: { localizations: [localization] } };
  writeJson(join(folder, 'package.json'), manifest);
  writeJson(translations, { version: '1.0.0', contents: {} });
  const listFile = join(extensionsFolder, 'extensions.json');
  const location = { $mid: 1, path: folder, scheme: 'file' };
  const entry = { identifier: { id }, version: PACK.version, location, relativeLocation: `${id}-${PACK.version}` };
  writeJson(listFile, [...JSON.parse(readFileSync(listFile, 'utf8')), entry]);
  const extensions = [{ extensionIdentifier: { id }, version: PACK.version }];
  const pack = { hash: 'tests', extensions, translations: { vscode: translations }, label: locale };
  writeJson(join(dataFolder, 'languagepacks.json'), { [locale]: pack });
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
