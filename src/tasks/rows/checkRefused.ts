import type { QueryError } from '../trackedTask';

/**
 * Whether the service responded to the last status check in a way that no further check will change: it rejected it, or
 * its response is not one of an import service. Any other failure may pass by itself.
 */
export function isCheckRefused(error: QueryError | undefined): boolean {
  if (error === undefined) return false;
  if (error.kind === 'rejected') return true;
  return error.failure.name === 'BadResponseError' && error.failure.reason !== 'serverError';
}
