import { chineseFiles, readTexts, type Texts } from './compareTexts';

/** The extension's Chinese translations, keyed by the English text or the manifest key. */
export class ChineseTexts {
  readonly #code = readTexts(chineseFiles.code);
  readonly #manifest = readTexts(chineseFiles.manifest);

  /** The translation of a string in the code. @throws Error if it isn't translated */
  code(english: string, ...values: readonly string[]): string {
    return found(this.#code, english).replaceAll(/\{(\d+)\}/g, (_, index) => values[index] ?? '');
  }

  /** A pattern that matches the translation of a string in the code, with any placeholder values. */
  anyOf(english: string): RegExp {
    const parts = found(this.#code, english).split(/\{\d+\}/);
    return new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'));
  }

  /** The translation of a string in the manifest. @throws Error if it isn't translated */
  manifest(key: string): string {
    return found(this.#manifest, key);
  }

  /** The label of a command link in a translated manifest string. */
  link(key: string, command: string): string {
    const [, text] =
      new RegExp(`\\[([^\\]]+)\\]\\(command:datasetImport\\.${command}\\)`).exec(this.manifest(key)) ?? [];
    if (text === undefined) throw new Error(`There is no link to ${command} in ${key}.`);
    return text;
  }
}

function found(texts: Texts, key: string): string {
  const text = texts.get(key);
  if (text === undefined) throw new Error(`"${key}" is not translated.`);
  return text;
}
