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

/** The same as a condition on the table of tasks, where a damaged row may hold anything. */
export const IS_CHECK_REFUSED = `CASE WHEN json_valid(last_query_error) THEN
  last_query_error ->> '$.kind' = 'rejected' OR (
    last_query_error ->> '$.failure.name' = 'BadResponseError' AND
    last_query_error ->> '$.failure.reason' <> 'serverError'
  ) END`;
