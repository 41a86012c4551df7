import { BadResponseError, ConnectError, ConnectionLostError, type ServiceError } from '../../../src/service/errors';
import type { Outcome } from '../../../src/service/response/outcome';

type Failed = Exclude<Outcome<never>, { readonly kind: 'accepted' }>;
type Rejected = Extract<Failed, { readonly kind: 'rejected' }>;

export const accepted: Outcome<undefined> = {
  kind: 'accepted',
  response: { envelope: {}, deviations: [] },
  value: undefined,
};

export function notUploaded(cause: ServiceError): Failed {
  return { kind: 'notUploaded', cause };
}

export function connectError(reason: ConnectError['reason']): Failed {
  return notUploaded(new ConnectError(reason, 'a.example', { cause: 'x' }));
}

export function unconfirmed(cause: ServiceError, retryAfterMs?: number): Failed {
  return { kind: 'unconfirmed', cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

export function badResponse(reason: BadResponseError['reason'], status = 200, retryAfterMs?: number): Failed {
  return unconfirmed(new BadResponseError(reason, status, ''), retryAfterMs);
}

export function lostConnection(reason: ConnectionLostError['reason']): ConnectionLostError {
  return new ConnectionLostError(reason, 'a.example');
}

export function rejected(status: number, facts: Partial<Rejected> = {}): Failed {
  const rejection = { by: 'status', status, excerpt: '' } as const;
  return { kind: 'rejected', rejection, badKey: false, tryLater: false, ...facts };
}
