import type { IncomingMessage } from 'node:http';
import type { L10n } from '../l10n';
import type { Operation } from './operation';
import { RefusedRequest } from './response';

/**
 * Finds the operation by path; checks host, method, access key and media type, in that order, before the body is looked
 * at. @throws RefusedRequest
 */
export function route(
  request: IncomingMessage,
  operations: readonly Operation[],
  accessKey: string,
  l10n: L10n,
): Operation {
  const { headers, method, url = '' } = request;
  // A web page whose name was made to point at 127.0.0.1 (DNS rebinding) still sends its own name as Host.
  const host = headers.host?.replace(/:\d{1,5}$/, '').toLowerCase() ?? '';
  if (!isLoopbackHostname(host))
    throw new RefusedRequest('wrongHost', 'The sandbox responds to loopback host names only.');
  const path = url.split('?', 1)[0];
  const operation = operations.find((known) => known.path === path);
  if (!operation) {
    const known = operations.map((each) => each.path).join(', ');
    throw new RefusedRequest('unknownPath', l10n.t('There is no such path. Known are {0}.', known));
  }
  if (method !== 'POST')
    throw new RefusedRequest('wrongMethod', `All operations use POST, not ${method}.`, { Allow: 'POST' });
  if (!headers['access-key']) throw new RefusedRequest('badKey', 'The header Access-Key is missing.');
  if (headers['access-key'] !== accessKey)
    throw new RefusedRequest('badKey', 'The Access-Key is not that of this sandbox.');
  const mediaType = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== operation.mediaType)
    throw new RefusedRequest('wrongMediaType', `The Content-Type must be ${operation.mediaType}.`);
  return operation;
}

/** Whether a hostname, as the URL class spells it, means this machine. Names are not looked up. */
export function isLoopbackHostname(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
