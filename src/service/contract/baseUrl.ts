import { DEFAULT_CONTRACT } from './contract';

/** Why a text cannot be the base URL of a service. */
export type BaseUrlFault = 'empty' | 'notUrl' | 'scheme' | 'plainHttp' | 'userInfo' | 'query';

/** A base URL fit for use, or why it is not. */
export type CheckedBaseUrl = { readonly url: URL } | { readonly fault: BaseUrlFault };

/** Whether a URL stays on this machine, where plain http does no harm. */
export function isLoopback(url: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/**
 * Checks the service's base address (INTERFACE.md 4: `{base_url}`). https, or http on loopback, or http anywhere
 * where `allowHttp` is set; no user info (it would be a second secret), no query and no fragment.
 */
export function checkBaseUrl(text: string, allowHttp = false): CheckedBaseUrl {
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'empty' };
  const url = URL.parse(trimmed);
  if (url === null || url.hostname === '') return { fault: 'notUrl' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { fault: 'scheme' };
  if (url.username !== '' || url.password !== '') return { fault: 'userInfo' };
  if (url.search !== '' || url.hash !== '') return { fault: 'query' };
  if (url.protocol === 'http:' && !allowHttp && !isLoopback(url)) return { fault: 'plainHttp' };
  return { url };
}

/** A base URL as it was typed, and what was cut off its end: the path of an operation. */
export type TypedBaseUrl = { readonly url: URL; readonly cut?: string } | { readonly fault: BaseUrlFault };

/**
 * Reads a base URL that a person typed or pasted. A host alone gets https://, or http:// on loopback; the path of an
 * operation at the end is cut off. Otherwise as {@link checkBaseUrl}.
 */
export function readTypedBaseUrl(text: string): TypedBaseUrl {
  const typed = text.trim();
  // The parser takes `https:host` for a URL.
  if (/^[a-z][a-z\d+.-]*:(?!\/\/|\d)/i.test(typed)) return { fault: 'notUrl' };
  const checked = checkBaseUrl(withScheme(typed));
  if ('fault' in checked) return checked;
  const { url } = checked;
  const path = url.pathname.replace(/\/+$/, '');
  const cut = operationPathAtEnd(path);
  if (cut === undefined) return { url };
  url.pathname = path.slice(0, -cut.length);
  return { url, cut };
}

function withScheme(typed: string): string {
  if (typed === '' || typed.includes('://')) return typed;
  const secure = URL.parse(`https://${typed}`);
  return secure !== null && isLoopback(secure) ? `http://${typed}` : `https://${typed}`;
}

/** The path of an operation, its last segment, or what the paths of all operations begin with (INTERFACE.md 4). */
function operationPathAtEnd(path: string): string | undefined {
  const paths = Object.values(DEFAULT_CONTRACT.paths);
  const ends = paths.map((each) => [each.slice(0, each.lastIndexOf('/')), each.slice(each.lastIndexOf('/'))]);
  return [...paths, ...ends.flat()].find((end) => path.endsWith(end));
}

/** The address of an operation: its path appended to the base URL's own (INTERFACE.md 4). */
export function operationUrl(baseUrl: URL, path: string): URL {
  // Not the href: a lone `?` or `#` at its end would take the path for a query or a fragment.
  return new URL(baseUrl.origin + baseUrl.pathname.replace(/\/+$/, '') + path);
}
