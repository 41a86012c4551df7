import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { FaultSequence } from './faults';
import { handleRequest } from './handleRequest';
import { RequestBody } from './http/requestBody';
import { sendReply } from './http/sendReply';
import { english, type L10n } from './l10n';
import { fileTask } from './operations/fileTask';
import { queryTask } from './operations/queryTask';
import { setWebhook } from './operations/setWebhook';
import { Webhook, type WebhookDelivery } from './operations/webhook';
import { profiles, type SandboxProfileId, sandboxProfiles } from './profiles/profiles';
import { type ReceivedRequest, recordRequest } from './receivedRequest';
import { SandboxTasks } from './sandboxTasks';

export { type ReceivedRequest, type SandboxProfileId, sandboxProfiles, type WebhookDelivery };

/** How a sandbox is started; all of it may be left out. */
export interface SandboxOptions {
  /** Its names where the interface is not documented, and its faults; `standard` by default. */
  readonly profile?: SandboxProfileId;
  /** A free one by default. */
  readonly port?: number;
  /** A random one for each start by default. */
  readonly accessKey?: string;
  /** A task takes three of these from its creation to its end; 1000 by default. */
  readonly stageMs?: number;
  /** The time in milliseconds since 1970; the system's by default. */
  readonly now?: () => number;
  /** Gives the ID of each task; a random UUID by default. */
  readonly newUuid?: () => string;
  /** Its language; English by default. */
  readonly l10n?: L10n;
  /** Called with each request once it has its response. */
  readonly onRequest?: (request: ReceivedRequest) => void;
  /** Called with each webhook event once it was delivered or has failed. */
  readonly onDelivery?: (delivery: WebhookDelivery) => void;
}

/** A running sandbox. */
export interface Sandbox {
  /** Like `http://127.0.0.1:41234`. */
  readonly baseUrl: string;
  readonly accessKey: string;
  /** The last hundred, oldest first. */
  readonly records: readonly SandboxRecord[];
  /** Those of them that it received. */
  readonly requests: readonly ReceivedRequest[];
  /** Stops at once: open connections are cut, and no listener is called any more. */
  close(): Promise<void>;
}

/** Starts an import service on 127.0.0.1 that speaks as the documented interface. Throws when the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, stageMs = 1000, now = Date.now, newUuid = randomUUID, l10n = english } = options;
  const profile = profiles[options.profile ?? 'standard'];
  const accessKey = options.accessKey || `sandbox-${randomBytes(18).toString('base64url')}`;
  const records = new LastRecords();
  const closing = new AbortController();

  const webhook = new Webhook(now, closing.signal, (delivery) => {
    records.add({ kind: 'delivery', ...delivery });
    options.onDelivery?.(delivery);
  });
  const tasks = new SandboxTasks(
    now,
    stageMs,
    newUuid,
    (task, stage) => void webhook.announce(profile.event(task, stage)),
    l10n,
  );
  const operations = [fileTask(tasks, profile, l10n), queryTask(tasks, profile, l10n), setWebhook(webhook, l10n)];
  const faults = new FaultSequence(profile.faults(l10n));

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const receivedAt = now();
    tasks.noticeFinished();
    const body = new RequestBody(request);
    const handled = await handleRequest(request, body, { operations, accessKey, faults, l10n });
    if (closing.signal.aborted) return;
    const received = recordRequest(request, receivedAt, body, handled, accessKey);
    records.add({ kind: 'request', ...received });
    sendReply(response, handled.reply);
    options.onRequest?.(received);
  };

  const server = createServer((request, response) => void serve(request, response));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');

  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accessKey,
    records: records.all,
    get requests() {
      return records.all.filter((record) => record.kind === 'request');
    },
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        tasks.dispose();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Unnumbered = ({ readonly kind: 'request' } & ReceivedRequest) | ({ readonly kind: 'delivery' } & WebhookDelivery);

/** A request to the sandbox, or the delivery of a webhook event from it; numbered together from 1 as they end. */
export type SandboxRecord = { readonly number: number } & Unnumbered;

/** How many records are kept. */
const MAX_RECORDS = 100;

/** The latest records, oldest first. */
class LastRecords {
  readonly #all: SandboxRecord[] = [];
  #count = 0;

  get all(): readonly SandboxRecord[] {
    return this.#all;
  }

  add(record: Unnumbered): void {
    this.#count += 1;
    this.#all.push({ number: this.#count, ...record });
    if (this.#all.length > MAX_RECORDS) this.#all.shift();
  }
}
