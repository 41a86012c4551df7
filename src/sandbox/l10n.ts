/** Puts the sandbox's sentences into the language of whoever reads its responses, as `l10n` of VS Code does. */
export interface L10n {
  /** `{0}`, `{1}`, … stand for the values. */
  t(message: string, ...values: (string | number)[]): string;
}

export const english: L10n = {
  t: (message, ...values) => message.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[index])),
};
