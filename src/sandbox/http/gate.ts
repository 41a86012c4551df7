import type { IncomingHttpHeaders } from 'node:http';
import type { Operation } from './operation';
import { refuse, type SandboxResponse } from './response';

/** Checks the headers of a request for an operation; undefined where it may pass, else the refusal. */
export type Gate = (headers: IncomingHttpHeaders, operation: Operation) => SandboxResponse | undefined;

/** Asks for the access key and nothing else. */
export function keyGate(accessKey: string): Gate {
  return (headers) => {
    const fault = accessKeyFault(headers, accessKey);
    return fault === undefined ? undefined : refuse('badKey', fault);
  };
}

/** What is wrong with the header Access-Key, as a sentence; undefined for the right key. */
export function accessKeyFault(headers: IncomingHttpHeaders, accessKey: string): string | undefined {
  if (!headers['access-key']) return 'The header Access-Key is missing.';
  return headers['access-key'] === accessKey ? undefined : 'The Access-Key is not that of this sandbox.';
}
