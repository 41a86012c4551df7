import http from 'node:http';
import https from 'node:https';
import type { ResponseData } from '../http/response';

/** What became of an event that was sent. */
export type DeliveryOutcome =
  | { readonly kind: 'responded'; readonly status: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** One event that the sandbox sent, or tried to. */
export interface WebhookDelivery {
  /** In milliseconds by the sandbox's clock. */
  readonly sentAt: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON that was sent. */
  readonly body: string;
  readonly outcome: DeliveryOutcome;
}

const timeoutMs = 2000;

/** The registered address, and the events sent to it. */
export class Webhook {
  readonly #now: () => number;
  readonly #onDelivery: (delivery: WebhookDelivery) => void;
  readonly #closing: AbortSignal;
  #url: URL | undefined;

  constructor(now: () => number, closing: AbortSignal, onDelivery: (delivery: WebhookDelivery) => void) {
    this.#now = now;
    this.#closing = closing;
    this.#onDelivery = onDelivery;
  }

  register(url: URL): void {
    this.#url = url;
  }

  /** Sends an event, if there is an address. Never throws; what becomes of it is a delivery. */
  async announce(event: ResponseData): Promise<void> {
    const url = this.#url;
    if (!url) return;
    const body = JSON.stringify(event);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = { sentAt: this.#now(), url: url.href, headers, body };
    const signal = AbortSignal.any([this.#closing, AbortSignal.timeout(timeoutMs)]);
    const outcome = await deliver(url, headers, body, signal);
    if (!this.#closing.aborted) this.#onDelivery({ ...sent, outcome });
  }
}

/** Posts to a loopback address. Follows no redirect, reads no response beyond its status, and never throws. */
export function deliver(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve) => {
    const delivery = request(url, { method: 'POST', headers, agent: false, signal });
    delivery.on('response', ({ statusCode = 0 }) => {
      resolve({ kind: 'responded', status: statusCode });
      delivery.destroy();
    });
    delivery.on('error', ({ message }) =>
      resolve({ kind: 'failed', reason: signal.aborted ? 'No response came in time.' : message }),
    );
    delivery.end(body);
  });
}
