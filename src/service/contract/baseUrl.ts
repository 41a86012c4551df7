import { DEFAULT_CONTRACT } from './contract';

/** Why a string can't be a service's base URL. */
export type BaseUrlFault = 'notUrl' | 'scheme' | 'userInfo' | 'query';

/** A valid base URL, or why the text isn't one. */
export type CheckedBaseUrl = { readonly url: URL } | { readonly fault: BaseUrlFault };

/** Whether a URL points to this machine, in which case plain http is safe. */
export function isLoopback(url: URL): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}

/**
 * Checks the service's base URL (INTERFACE.md 4: `{base_url}`). It must use https unless it points to this machine or
 * `allowHttp` is set. It can't contain a query, a fragment, or user info, which would be a second secret.
 */
export function checkBaseUrl(text: string, allowHttp = false): CheckedBaseUrl {
  const url = URL.parse(text.trim());
  if (url === null || url.hostname === '') return { fault: 'notUrl' };
  const isHttpAllowed = allowHttp || isLoopback(url);
  if (url.protocol !== 'https:' && !(isHttpAllowed && url.protocol === 'http:')) return { fault: 'scheme' };
  if (url.username !== '' || url.password !== '') return { fault: 'userInfo' };
  if (url.search !== '' || url.hash !== '') return { fault: 'query' };
  return { url };
}

/**
 * Reads a base URL that the user typed or pasted, and checks it like {@link checkBaseUrl}. Adds a missing https://, or http://
 * for loopback. Removes an operation's path from the end.
 */
export function readTypedBaseUrl(text: string): CheckedBaseUrl {
  const typed = text.trim();
  // URL.parse would accept `https:host`.
  if (/^[a-z][a-z\d+.-]*:(?!\/\/|\d)/i.test(typed)) return { fault: 'notUrl' };
  const checked = checkBaseUrl(withScheme(typed));
  if ('fault' in checked) return checked;
  const { url } = checked;
  const path = url.pathname.replace(/\/+$/, '');
  const operation = Object.values(DEFAULT_CONTRACT.paths).find((each) => path.endsWith(each));
  if (operation !== undefined) url.pathname = path.slice(0, -operation.length);
  return { url };
}

function withScheme(typed: string): string {
  if (typed.includes('://')) return typed;
  const secure = URL.parse(`https://${typed}`);
  return secure !== null && isLoopback(secure) ? `http://${typed}` : `https://${typed}`;
}

/** An operation's URL: its path appended to the path of the base URL (INTERFACE.md 4). */
export function operationUrl(baseUrl: URL, path: string): URL {
  // Don't append the path to the href, which may end with a lone `?` or `#` that would make the path a query or a
  // fragment.
  return new URL(baseUrl.origin + baseUrl.pathname.replace(/\/+$/, '') + path);
}
