import { isJsonObject, leafText, parseJson } from './json';

/**
 * What an error in JSON says: `title` and `detail` as in RFC 9457, otherwise `error.message` or `message`. Undefined if the
 * text isn't JSON or has none of them.
 */
export function errorText(text: string): string | undefined {
  if (!/^\s*\{/.test(text.replace(/^\uFEFF/, ''))) return undefined;
  try {
    const json = parseJson(text);
    if (!isJsonObject(json)) return undefined;
    const { error, title, detail } = json;
    const problem = [title, detail].flatMap((each) => leafText(each) || []).join(': ');
    const message = leafText((isJsonObject(error) ? error : json)['message']);
    return problem || message || undefined;
  } catch {
    return undefined;
  }
}
