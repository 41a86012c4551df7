import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A language for the editor to ask its extensions for. */
export interface Language {
  /** As VS Code writes it, such as `zh-cn`. */
  readonly locale: string;
  /** Texts by the English ones, and by the keys of the manifest, where the extension does not come with them. */
  readonly texts?: { readonly code: ReadonlyMap<string, string>; readonly manifest: ReadonlyMap<string, string> };
}

const PACK = { publisher: 'dataset-import-tests', name: 'language-pack', version: '1.0.0' };

/**
 * Installs a language pack that translates nothing of VS Code itself: its own words stay English, and its extensions are
 * asked for the language. VS Code finds it in `languagepacks.json` before it has looked at its extensions.
 */
export function installLanguage(dataFolder: string, extensionsFolder: string, { locale, texts }: Language): void {
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
  if (texts === undefined) return;
  const own = readdirSync(extensionsFolder).find((name) => name.startsWith('dataset-import.dataset-import-'));
  if (own === undefined) throw new Error(`The extension is not in ${extensionsFolder}.`);
  writeJson(join(extensionsFolder, own, 'l10n', `bundle.l10n.${locale}.json`), Object.fromEntries(texts.code));
  writeJson(join(extensionsFolder, own, `package.nls.${locale}.json`), Object.fromEntries(texts.manifest));
}

function writeJson(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(value));
}
