import { l10n, ProgressLocation } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { ImportService } from '../../service/importService';
import type { Outcome } from '../../service/response/outcome';
import { sendWebhook } from '../../tasks/sending/sendWebhook';
import { backoffMs, retryDelayMs } from '../../tasks/timing/backoff';
import type { Clock } from '../../tasks/timing/clock';
import { failureOf } from '../../tasks/trackedTask';
import { ensureAccessKey, replaceAccessKey } from '../accessKeys/enterAccessKey';
import { chooseDataset } from '../datasets/chooseDataset';
import { targetOf } from '../datasets/datasets';
import { type DatasetDeps, datasetNamed } from '../datasets/findDataset';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import type { Messages } from '../platform/messages';
import { window } from '../platform/window';
import type { Webhooks } from './webhooks';

export interface WebhookDeps extends DatasetDeps {
  readonly service: ImportService;
  readonly webhooks: Webhooks;
  readonly messages: Messages;
  readonly clock: Clock;
}

/** Asks for a URL and registers it with a dataset's service, after a confirmation. */
export async function setWebhook(deps: WebhookDeps, target: unknown): Promise<void> {
  const dataset = await chooseDataset(deps, target, l10n.t('Set Webhook'));
  if (dataset !== undefined) await askAndApply(deps, dataset);
}

async function askAndApply(deps: WebhookDeps, dataset: Dataset): Promise<void> {
  if ((await ensureAccessKey(deps, dataset)) === undefined) return;
  const last = deps.webhooks.notVerified(dataset) ?? deps.webhooks.last(dataset);
  const url = await askWebhookUrl(dataset, last);
  if (url !== undefined && (await confirmWebhook(dataset, url))) await apply(deps, dataset, url);
}

/** Registers a URL that the user confirmed, at the monotonic time `notBeforeMs` or later. */
async function apply(deps: WebhookDeps, dataset: Dataset, url: URL, notBeforeMs = 0): Promise<void> {
  const { service, webhooks, clock } = deps;
  const accessKey = await ensureAccessKey(deps, dataset);
  if (accessKey === undefined) return;
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
      return sendWebhook(service, targetOf(dataset, accessKey), url, stop.signal, clock, waitMs);
    },
  );
  if (outcome.kind === 'accepted') await webhooks.remember(dataset, url);
  // A URL that was sent earlier is still not verified.
  else if (outcome.kind !== 'unconfirmed') await webhooks.rememberNotVerified(dataset, notVerified);
  await reportOutcome(deps, dataset, url, outcome);
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

function confirmWebhook({ name }: Dataset, url: URL): Promise<boolean> {
  return window.confirm(
    l10n.t("Set the webhook of dataset '{0}' to '{1}'?", name, url.href),
    l10n.t('This changes the state of the service, for everyone who uses the dataset.'),
    l10n.t('Set Webhook'),
  );
}

async function reportOutcome(
  deps: WebhookDeps,
  dataset: Dataset,
  url: URL,
  outcome: Outcome<undefined>,
): Promise<void> {
  const { name } = dataset;
  // Reads the dataset when the button is pressed: the settings may have changed since.
  const again = (label: string) => {
    const notBeforeMs = deps.clock.monotonicMs() + waitMs;
    return { label, run: () => apply(deps, datasetNamed(deps, name), url, notBeforeMs) };
  };
  const { retryAfterMs } = 'retryAfterMs' in outcome ? outcome : {};
  const waitMs = retryAfterMs === undefined ? 0 : retryDelayMs(retryAfterMs, backoffMs(1, deps.clock.random));
  const pause = waitMs === 0 ? [] : [l10n.t('It asks to wait {0} s.', Math.ceil(waitMs / 1000))];
  switch (outcome.kind) {
    case 'accepted':
      return deps.messages.done(l10n.t("'{0}' took {1} as its webhook.", name, url.href));
    case 'rejected': {
      const replaceKey = replaceAccessKey(deps, () => datasetNamed(deps, name));
      const askAgain = { label: l10n.t('Try Again'), run: () => askAndApply(deps, datasetNamed(deps, name)) };
      const message = l10n.t("'{0}' rejected the webhook: {1}", name, formatRefusal(outcome.refusal));
      const next = outcome.tryLater ? again(l10n.t('Apply Again')) : askAgain;
      return deps.messages.warn([message, ...pause].join(' '), ...(outcome.badKey ? [replaceKey] : []), next);
    }
    case 'notSent': {
      if (outcome.cause.name === 'CanceledError') return;
      const cause = formatFailure(failureOf(outcome.cause));
      const message = l10n.t("The webhook of '{0}' was not set. {1}", name, cause);
      return deps.messages.warn(message, again(l10n.t('Try Again')));
    }
    case 'unconfirmed': {
      const cause = formatFailure(failureOf(outcome.cause));
      const message = l10n.t("It is not certain whether '{0}' took the webhook. {1}", name, cause);
      return deps.messages.warn([message, ...pause].join(' '), again(l10n.t('Apply Again')));
    }
  }
}
