import type { ResponseData } from '../http/response';
import { type DeliveryOutcome, deliver, deliveryHeaders } from './deliver';

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
    const sent = { sentAt: this.#now(), url: url.href, headers: deliveryHeaders(body), body };
    const signal = AbortSignal.any([this.#closing, AbortSignal.timeout(timeoutMs)]);
    const outcome = await deliver(url, body, signal);
    if (!this.#closing.aborted) this.#onDelivery({ ...sent, outcome });
  }
}
