import type { BadResponseError, ConnectError, ConnectionLostError, SourceError } from '../../src/service/errors';
import type { Cause } from '../../src/tasks/store/model';

/** Everything that can make a request fail. The compiler checks that no reason is missing. */
const CONNECT: Readonly<Record<ConnectError['reason'], 1>> = {
  dns: 1,
  refused: 1,
  timedOut: 1,
  unreachable: 1,
  reset: 1,
  tls: 1,
  clientCertificate: 1,
  proxy: 1,
  proxyLogin: 1,
  proxyScheme: 1,
  other: 1,
};
const LOST: Readonly<Record<ConnectionLostError['reason'], 1>> = { reset: 1, stalled: 1, silent: 1, truncated: 1 };
const RESPONSE: Readonly<Record<BadResponseError['reason'], 1>> = {
  serverError: 1,
  notJson: 1,
  notEnvelope: 1,
  tooLarge: 1,
  redirect: 1,
  notHttp: 1,
  largeHeaders: 1,
};
const SOURCE: Readonly<Record<SourceError['reason'], 1>> = {
  missing: 1,
  invalidName: 1,
  forbiddenHost: 1,
  unreadable: 1,
  busy: 1,
  notFile: 1,
  empty: 1,
  changed: 1,
  changing: 1,
  ownStorage: 1,
};

/** A cause for each reason why a request can fail. */
export const FAILURES: readonly Cause[] = Object.entries({
  ConnectError: CONNECT,
  ConnectionLostError: LOST,
  BadResponseError: RESPONSE,
  SourceError: SOURCE,
}).flatMap(([name, reasons]) =>
  Object.keys(reasons).map((reason) => {
    const facts = { host: 'import.example', status: 502, excerpt: 'Oops', detail: 'self-signed', fileName: 'a.txt' };
    return { name, reason, ...facts };
  }),
);
