import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';

/** What became of an event that was sent. */
export type DeliveryOutcome =
  | { readonly kind: 'responded'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** The headers that a delivery is sent with, besides those of every connection. */
export function deliveryHeaders(body: string): Readonly<Record<string, string>> {
  return { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
}

/** Posts JSON to a loopback address. Follows no redirect, reads no response beyond its status, and never throws. */
export function deliver(url: URL, body: string, signal: AbortSignal): Promise<DeliveryOutcome> {
  const client = url.protocol === 'https:' ? https : http;
  return new Promise((resolve) => {
    const request = client.request(url, {
      method: 'POST',
      headers: deliveryHeaders(body),
      agent: false,
      lookup: loopback,
      signal,
    });
    request.on('response', (response) => {
      resolve({ kind: 'responded', status: response.statusCode ?? 0 });
      request.destroy();
    });
    request.on('error', (error) => resolve({ kind: 'failed', reason: reasonOf(signal, error) }));
    request.end(body);
  });
}

// `localhost` is not looked up: whatever a resolver says, the event stays on this machine.
const loopback: LookupFunction = (_hostname, { all }, callback) => {
  const ipv4 = { address: '127.0.0.1', family: 4 };
  if (all) callback(null, [ipv4, { address: '::1', family: 6 }]);
  else callback(null, ipv4.address, ipv4.family);
};

function reasonOf(signal: AbortSignal, error: Error): string {
  return signal.aborted ? 'No response came in time.' : error.message;
}
