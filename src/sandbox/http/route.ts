import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { L10n } from '../l10n';
import { mediaTypeOf, type Operation } from './operation';
import { refuse, type SandboxResponse } from './response';

/** The operation that a request is for, or why it is refused before its body is looked at. */
export type Route =
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'refused'; readonly response: SandboxResponse };

/** Finds the operation by path; checks host, method, access key and media type, in that order. */
export function route(
  request: IncomingMessage,
  operations: readonly Operation[],
  accessKey: string,
  l10n: L10n,
): Route {
  const refused = (...why: Parameters<typeof refuse>): Route => ({ kind: 'refused', response: refuse(...why) });
  const { headers, method, url = '' } = request;
  // A web page whose name was made to point at 127.0.0.1 (DNS rebinding) still sends its own name as Host.
  if (!isLoopbackHost(headers.host)) return refused('wrongHost', 'The sandbox responds to loopback host names only.');
  const path = url.split('?', 1)[0];
  const operation = operations.find((known) => known.path === path);
  if (!operation) {
    const known = operations.map(({ path }) => path).join(', ');
    return refused('unknownPath', l10n.t('There is no such path. Known are {0}.', known));
  }
  if (method !== 'POST') return refused('wrongMethod', `All operations use POST, not ${method}.`, { Allow: 'POST' });
  const keyFault = accessKeyFault(headers, accessKey);
  if (keyFault !== undefined) return refused('badKey', keyFault);
  const mediaType = mediaTypeOf(operation);
  if (essence(headers['content-type']) !== mediaType) {
    return refused('wrongMediaType', `The Content-Type must be ${mediaType}.`);
  }
  return { kind: 'operation', operation };
}

function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && isLoopbackHostname(host.replace(/:\d{1,5}$/, '').toLowerCase());
}

/** What is wrong with the header Access-Key, as a sentence; undefined for the right key. */
function accessKeyFault(headers: IncomingHttpHeaders, accessKey: string): string | undefined {
  if (!headers['access-key']) return 'The header Access-Key is missing.';
  return headers['access-key'] === accessKey ? undefined : 'The Access-Key is not that of this sandbox.';
}

function essence(contentType: string | undefined): string | undefined {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase();
}

/** Whether a hostname, as the URL class spells it, means this machine. Names are not looked up. */
export function isLoopbackHostname(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
