import type { WebhookDelivery } from './operations/webhook';
import type { ReceivedRequest } from './receivedRequest';

type Unnumbered = ({ readonly kind: 'request' } & ReceivedRequest) | ({ readonly kind: 'delivery' } & WebhookDelivery);

/** A request to the sandbox, or the delivery of a webhook event from it; numbered together from 1 as they end. */
export type SandboxRecord = { readonly number: number } & Unnumbered;

/** How many are kept. */
const LIMIT = 100;

/** The latest records, oldest first. */
export class LastRecords {
  readonly #all: SandboxRecord[] = [];
  #count = 0;

  get all(): readonly SandboxRecord[] {
    return this.#all;
  }

  add(record: Unnumbered): void {
    this.#count += 1;
    this.#all.push({ number: this.#count, ...record });
    if (this.#all.length > LIMIT) this.#all.shift();
  }
}
