import { chineseFiles, readTexts } from './checkedIn';
import type { Texts } from './compareTexts';

/** The extension's Chinese texts, by English text or manifest key. */
export class ChineseTexts {
  readonly #code = readTexts(chineseFiles.code);
  readonly #manifest = readTexts(chineseFiles.manifest);

  /** A text of the code. @throws Error if it isn't translated */
  code(english: string, ...values: readonly string[]): string {
    return found(this.#code, english).replaceAll(/\{(\d+)\}/g, (_, index) => values[index] ?? '');
  }

  /** A pattern that matches a text of the code with any values. */
  anyOf(english: string): RegExp {
    const parts = found(this.#code, english).split(/\{\d+\}/);
    return new RegExp(parts.map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*'));
  }

  /** A text of the manifest. @throws Error if it isn't translated */
  manifest(key: string): string {
    return found(this.#manifest, key);
  }

  /** The text of a link to a command in a text of the manifest. */
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
