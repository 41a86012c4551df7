import { l10n, ProgressLocation } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { ImportService } from '../../service/importService';
import type { Outcome } from '../../service/response/outcome';
import { registerWebhook } from '../../tasks/following/registerWebhook';
import { backoffMs, retryDelayMs } from '../../tasks/timing/backoff';
import type { Clock } from '../../tasks/timing/clock';
import { failureOf } from '../../tasks/trackedTask';
import { enterAccessKey } from '../accessKeys/enterAccessKey';
import { formatFailure, formatRefusal } from '../platform/format';
import type { Messages } from '../platform/messages';
import { window } from '../platform/window';
import { type ChooseDeps, chooseDataset, knownDataset, readyDestination } from './chooseDataset';
import type { Webhooks } from './webhooks';

/** What setting a webhook takes. */
export interface WebhookDeps extends ChooseDeps {
  readonly service: ImportService;
  readonly webhooks: Webhooks;
  readonly messages: Messages;
  readonly clock: Clock;
}

/** Asks for an address and registers it with a dataset's service, which is a change there. */
export async function setWebhook(deps: WebhookDeps, target: unknown): Promise<void> {
  const dataset = await chooseDataset(deps, target, l10n.t('Set Webhook'));
  if (dataset === undefined || (await readyDestination(deps, dataset)) === undefined) return;
  const last = deps.webhooks.notVerified(dataset) ?? deps.webhooks.last(dataset);
  const url = await askWebhookUrl(dataset, last);
  if (url !== undefined && (await confirm(dataset, url))) await apply(deps, dataset, url);
}

/** Sends an address that the user has confirmed, not before the monotonic time at which the service may be asked again. */
async function apply(deps: WebhookDeps, dataset: Dataset, url: URL, notBeforeMs = 0): Promise<void> {
  const { service, webhooks, clock } = deps;
  const destination = await readyDestination(deps, dataset);
  if (destination === undefined) return;
  const notVerified = webhooks.notVerified(dataset);
  await webhooks.rememberNotVerified(dataset, url.href);
  const title = l10n.t("Setting the webhook of '{0}'", dataset.name);
  const outcome = await window.withProgress(
    { location: ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      const waitMs = notBeforeMs - clock.monotonicMs();
      if (waitMs > 0) progress.report({ message: l10n.t('in {0} s, as the service asks', Math.ceil(waitMs / 1000)) });
      return registerWebhook(service, destination.target, url, stop.signal, clock, waitMs);
    },
  );
  if (outcome.kind === 'accepted') await webhooks.remember(dataset, url);
  // What was sent before this is as uncertain as it was.
  else if (outcome.kind !== 'unconfirmed') await webhooks.rememberNotVerified(dataset, notVerified);
  await tell(deps, dataset, url, outcome);
}

async function askWebhookUrl({ name, baseUrl }: Dataset, last: string | undefined): Promise<URL | undefined> {
  const typed = await window.showInputBox({
    title: l10n.t("Webhook of dataset '{0}'", name),
    prompt: l10n.t('The address that {0} shall call. It must be reachable from there.', baseUrl.host),
    placeHolder: 'https://example.com/hooks/import',
    value: last ?? '',
    ignoreFocusOut: true,
    validateInput: (text) =>
      webhookUrl(text) === undefined ? l10n.t('Enter a URL that begins with https:// or http://.') : undefined,
  });
  return typed === undefined ? undefined : webhookUrl(typed);
}

function webhookUrl(text: string): URL | undefined {
  const url = URL.parse(text.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url : undefined;
}

async function confirm({ name }: Dataset, url: URL): Promise<boolean> {
  const set = l10n.t('Set Webhook');
  const question = l10n.t("Set the webhook of dataset '{0}' to '{1}'?", name, url.href);
  const detail = l10n.t('This changes the state of the service, for everyone who uses the dataset.');
  return (await window.showWarningMessage(question, { modal: true, detail }, set)) === set;
}

async function tell(deps: WebhookDeps, dataset: Dataset, url: URL, outcome: Outcome<undefined>): Promise<void> {
  const { name } = dataset;
  // The user confirmed this address; only the dataset may have been changed in the settings, until a button is pressed.
  const again = (label: string) => {
    const notBeforeMs = deps.clock.monotonicMs() + waitMs;
    return { label, run: () => apply(deps, knownDataset(deps, name), url, notBeforeMs) };
  };
  const { retryAfterMs } = 'retryAfterMs' in outcome ? outcome : {};
  const waitMs = retryAfterMs === undefined ? 0 : retryDelayMs(retryAfterMs, backoffMs(1, deps.clock.random));
  const asks = waitMs === 0 ? [] : [l10n.t('It asks to wait {0} s.', Math.ceil(waitMs / 1000))];
  switch (outcome.kind) {
    case 'accepted':
      return deps.messages.done(l10n.t("'{0}' took {1} as its webhook.", name, url.href));
    case 'rejected': {
      const replaceKey = {
        label: l10n.t('Replace Access-Key…'),
        run: () => enterAccessKey(deps.keys, knownDataset(deps, name)),
      };
      const askAgain = { label: l10n.t('Try Again'), run: () => setWebhook(deps, { dataset }) };
      const words = l10n.t("'{0}' rejected the webhook: {1}", name, formatRefusal(outcome.refusal));
      const next = outcome.tryLater ? again(l10n.t('Apply Again')) : askAgain;
      return deps.messages.warn([words, ...asks].join(' '), ...(outcome.badKey ? [replaceKey] : []), next);
    }
    case 'notSent': {
      if (outcome.cause.name === 'CanceledError') return;
      const words = formatFailure(failureOf(outcome.cause));
      return deps.messages.warn(
        l10n.t("The webhook of '{0}' was not set. {1}", name, words),
        again(l10n.t('Try Again')),
      );
    }
    case 'unconfirmed': {
      const cause = formatFailure(failureOf(outcome.cause));
      const words = l10n.t("It is not certain whether '{0}' took the webhook. {1}", name, cause);
      return deps.messages.warn([words, ...asks].join(' '), again(l10n.t('Apply Again')));
    }
  }
}
