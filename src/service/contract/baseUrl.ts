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

/** The address of an operation: its path appended to the base URL's own (INTERFACE.md 4). */
export function operationUrl(baseUrl: URL, path: string): URL {
  // Not the href: a lone `?` or `#` at its end would take the path for a query or a fragment.
  return new URL(baseUrl.origin + baseUrl.pathname.replace(/\/+$/, '') + path);
}
