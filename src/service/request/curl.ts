import { ACCESS_KEY_HEADER, METHOD } from '../contract/contract';
import { sentFileName } from './multipart';
import type { FormRequest, JsonRequest } from './requests';

/**
 * Returns a curl command for bash and zsh that sends this request, with `$ACCESS_KEY` in place of the key. The command
 * omits Content-Type, because curl chooses the boundary, and `filename*`, because curl can't write it. It turns off
 * `Expect: 100-continue`, which curl adds for large files.
 */
export function curlFileTask({ url, headers, form }: FormRequest, filePath: string): string {
  const { 'Content-Type': _boundary, ...others } = headers;
  const fields = Object.entries(form.fields).map(([name, value]) => `--form-string ${shell(`${name}=${value}`)}`);
  const name = sentFileName(form.file.name, form.fileNameEncoding);
  const file = `${form.filePart}=@${quoted(filePath)};type=${form.mediaType};filename=${quoted(name)}`;
  return command(url, [...headerOptions(others), `--header 'Expect:'`, ...fields, `--form ${shell(file)}`]);
}

/** Returns a curl command for bash and zsh that sends this query or webhook request. */
export function curlJson({ url, headers, body }: JsonRequest): string {
  return command(url, [...headerOptions(headers), `--data-binary ${shell(body)}`]);
}

function command(url: URL, options: readonly string[]): string {
  // curl treats brackets and braces in a URL as a pattern.
  const literally = /[[\]{}]/.test(url.href) ? '--globoff ' : '';
  return [`curl ${literally}--request ${METHOD} ${shell(url.href)}`, ...options].join(' \\\n  ');
}

function headerOptions(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => {
    if (name === ACCESS_KEY_HEADER) return `--header "${ACCESS_KEY_HEADER}: $ACCESS_KEY"`;
    // curl omits a header that has a colon but no value.
    return `--header ${shell(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`;
  });
}

/**
 * Quotes any text as one word of a shell command. In pasted text, a control character acts as a key press: Ctrl+C would
 * cancel the line, and the rest would run as commands. So control characters and quotes are written as octal escapes. A
 * shell that doesn't support `$'…'` reads a different value, but doesn't run anything.
 */
function shell(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${text.replaceAll('\\', '\\\\').replaceAll(/[\p{Cc}']/gu, octal)}'`;
}

/** A character's UTF-8 bytes as octal escapes, because older shells have no escape for the character itself. */
function octal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** A quoted value for curl's --form. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
