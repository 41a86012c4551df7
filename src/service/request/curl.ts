import { ACCESS_KEY_HEADER, METHOD } from '../contract/contract';
import { sentFileName } from './multipart';
import type { FormRequest, JsonRequest } from './requests';

/**
 * A command for bash and zsh that sends the same import with curl, with `$ACCESS_KEY` in place of the key. curl chooses
 * the boundary, so Content-Type is left to it. `Expect: 100-continue`, which it adds for large files, is turned off. It
 * can't write `filename*`.
 */
export function curlFileTask({ url, headers, form }: FormRequest, filePath: string): string {
  const { 'Content-Type': _boundary, ...others } = headers;
  const fields = Object.entries(form.fields).map(([name, value]) => `--form-string ${shell(`${name}=${value}`)}`);
  const name = sentFileName(form.file.name, form.fileNameEncoding);
  const file = `${form.filePart}=@${quoted(filePath)};type=${form.mediaType};filename=${quoted(name)}`;
  return command(url, [...headerOptions(others), `--header 'Expect:'`, ...fields, `--form ${shell(file)}`]);
}

/** A command for bash and zsh that sends the same query or webhook with curl. */
export function curlJson({ url, headers, body }: JsonRequest): string {
  return command(url, [...headerOptions(headers), `--data-binary ${shell(body)}`]);
}

function command(url: URL, options: readonly string[]): string {
  // curl would take brackets and braces in a URL for a pattern.
  const literally = /[[\]{}]/.test(url.href) ? '--globoff ' : '';
  return [`curl ${literally}--request ${METHOD} ${shell(url.href)}`, ...options].join(' \\\n  ');
}

function headerOptions(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => {
    if (name === ACCESS_KEY_HEADER) return `--header "${ACCESS_KEY_HEADER}: $ACCESS_KEY"`;
    // With a colon and no value curl would leave the header out.
    return `--header ${shell(value.trim() === '' ? `${name};` : `${name}: ${value}`)}`;
  });
}

/**
 * One word of a shell, whatever is in it. Pasted as they are, control characters are keys: Ctrl+C gives up the line, and
 * what follows would run. They are written as numbers, as is the quote beside them: a shell that does not know `$'…'` then
 * reads another value and runs nothing.
 */
function shell(text: string): string {
  if (!/\p{Cc}/u.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
  return `$'${text.replaceAll('\\', '\\\\').replaceAll(/[\p{Cc}']/gu, octal)}'`;
}

/** The UTF-8 bytes of a character: older shells know no escape for the character itself. */
function octal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** A value inside curl's --form, whatever is in it. */
function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
