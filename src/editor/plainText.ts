/**
 * Text of files or services for a message, a progress title, a status bar or a Quick Pick. VS Code makes links of
 * `[words](command:…)` there, which run commands, and icons of `$(name)`; an unseen character keeps it from both.
 */
export function plainText(text: string): string {
  return text.replaceAll(/(?<=[\]$])\(/g, '\u2060(');
}

/** Text of files or services for Markdown: shown to the letter, with its spaces and line breaks, without a link. */
export function plainMarkdown(text: string): string {
  return text
    .trim()
    .replaceAll(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll(/\s*[\r\n]\s*/g, '\n')
    .replaceAll(/[ \t](?=[ \t])/g, '&nbsp;')
    .replaceAll('\n', '  \n');
}
