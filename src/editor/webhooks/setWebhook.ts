import { l10n, ProgressLocation } from 'vscode';
import { KEY_MASK } from '../../service/contract/accessKey';
import type { Dataset } from '../../service/contract/dataset';
import type { ImportService } from '../../service/importService';
import { curlJson } from '../../service/request/curl';
import { previewJson } from '../../service/request/preview';
import { setWebhookRequest } from '../../service/request/requests';
import { mayBeBadKey, type Outcome } from '../../service/response/outcome';
import { sendWebhook } from '../../tasks/sending/sendWebhook';
import { backoffMs, retryDelayMs } from '../../tasks/timing/backoff';
import { failureOf } from '../../tasks/trackedTask';
import { chooseDataset } from '../datasets/chooseDataset';
import { ensureAccessKey, replaceAccessKey } from '../datasets/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import type { Webhooks } from '../datasets/webhooks';
import { formatSentences } from '../language/formatLists';
import { formatFailure, formatRefusal } from '../platform/formatOutcome';
import { window } from '../platform/window';
import { editRequestPart } from '../requests/editPart';
import { editRequestAction } from '../requests/editRequest';
import type { RequestPreviews } from '../requests/previewImport';
import { webhookPath } from '../requests/requestParts';
import { targetOf } from '../services/datasets';
import type { Services } from '../services/services';

export interface WebhookServices extends Services {
  readonly service: ImportService;
  readonly webhooks: Webhooks;
  readonly previews: RequestPreviews;
}

/** Asks for a URL and registers it with a dataset's service, after a confirmation. */
export async function setWebhook(services: WebhookServices, target: unknown): Promise<void> {
  const dataset = await chooseDataset(services, target, l10n.t('Set Webhook'));
  if (dataset !== undefined) await askAndApply(services, dataset);
}

async function askAndApply(services: WebhookServices, dataset: Dataset): Promise<void> {
  if ((await ensureAccessKey(services, dataset)) === undefined) return;
  const url = await askWebhookUrl(services, dataset);
  if (url !== undefined) await confirmAndApply(services, dataset, url);
}

async function confirmAndApply(services: WebhookServices, dataset: Dataset, url: URL): Promise<void> {
  const { name } = dataset;
  const request = setWebhookRequest(targetOf(dataset, KEY_MASK), url);
  const set = l10n.t('Set Webhook');
  const preview = l10n.t('Preview Request');
  const detail = l10n.t(
    'The request is sent to {0}. It changes the service for everyone who uses the dataset.',
    request.url.href,
  );
  const question = l10n.t("Set the webhook of dataset '{0}' to '{1}'?", name, url.href);
  const chosen = await window.showWarningMessage(question, { modal: true, detail }, set, preview);
  if (chosen === set) return apply(services, dataset, url);
  if (chosen !== preview) return;
  await services.previews.show(l10n.t('{0} (webhook request)', name), {
    text: previewJson(request),
    curl: curlJson(request),
  });
  const { retry, editPath } = nextSteps(services, dataset, url);
  const message = l10n.t("This request sets the webhook of '{0}'. It has not been sent.", name);
  await services.messages.done(message, { label: set, run: retry }, editPath);
}

/** Registers a URL that the user confirmed, at the monotonic time `notBeforeMs` or later. */
async function apply(services: WebhookServices, dataset: Dataset, url: URL, notBeforeMs = 0): Promise<void> {
  const { service, webhooks, clock } = services;
  const accessKey = await ensureAccessKey(services, dataset);
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
      if (waitMs > 0)
        progress.report({ message: l10n.t('waiting {0} s as requested by the service', Math.ceil(waitMs / 1000)) });
      return sendWebhook(service, targetOf(dataset, accessKey), url, stop.signal, clock, waitMs);
    },
  );
  if (outcome.kind === 'accepted') await webhooks.remember(dataset, url);
  // A URL that was sent earlier is still not verified.
  else if (outcome.kind !== 'unconfirmed') await webhooks.rememberNotVerified(dataset, notVerified);
  await report(services, dataset, url, outcome);
}

/** What can be done next with a URL that was confirmed. Reads the dataset then, as the settings may have changed. */
function nextSteps(services: WebhookServices, dataset: Dataset, url: URL) {
  const current = () => datasetNamed(services, dataset.name);
  const retry = (notBeforeMs?: number) => {
    const now = current();
    // What was confirmed was for the origin of that time.
    const isSame = now.baseUrl.origin === dataset.baseUrl.origin;
    return isSame ? apply(services, now, url, notBeforeMs) : confirmAndApply(services, now, url);
  };
  const editPath = {
    label: l10n.t('Edit Request…'),
    run: async () => {
      if (await editRequestPart(services, current(), webhookPath(current().contract)))
        await confirmAndApply(services, current(), url);
    },
  };
  return { current, retry, editPath, changeUrl: () => askAndApply(services, current()) };
}

/** Begins with what was typed last and not accepted. */
async function askWebhookUrl({ picks, webhooks }: WebhookServices, dataset: Dataset): Promise<URL | undefined> {
  const { name, baseUrl } = dataset;
  const typed = await picks.text({
    title: l10n.t("Webhook of '{0}'", name),
    prompt: l10n.t('Enter the URL for {0} to call. The service must be able to reach it.', baseUrl.host),
    placeHolder: 'https://example.com/hooks/import',
    value: webhooks.typed(dataset) ?? webhooks.notVerified(dataset) ?? webhooks.last(dataset) ?? '',
    ignoreFocusOut: true,
    validateInput: (text) => {
      const read = readWebhookUrl(text);
      return 'fault' in read ? read.fault : undefined;
    },
  });
  const read = readWebhookUrl(typed ?? '');
  if ('fault' in read) return undefined;
  webhooks.keepTyped(dataset, read.url);
  return read.url;
}

/** The URL for a webhook to call, or why what was typed is none. */
function readWebhookUrl(typed: string): { readonly url: URL } | { readonly fault: string } {
  const text = typed.trim();
  // The parser takes `https:host` for a URL.
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) return { fault: l10n.t('Enter a URL that begins with https:// or http://.') };
  if (url.username !== '' || url.password !== '') {
    return { fault: l10n.t('The URL must not contain a user name or password.') };
  }
  return { url };
}

/** Says how the registration of a webhook ended, and offers what helps. */
async function report(
  services: WebhookServices,
  dataset: Dataset,
  url: URL,
  outcome: Outcome<undefined>,
): Promise<void> {
  const { messages, clock } = services;
  const { name, contract } = dataset;
  const next = nextSteps(services, dataset, url);
  const { retryAfterMs } = 'retryAfterMs' in outcome ? outcome : {};
  const waitMs = retryAfterMs === undefined ? 0 : retryDelayMs(retryAfterMs, backoffMs(1, clock.random));
  const pause = waitMs === 0 ? [] : [l10n.t('The service asks to wait {0} s.', Math.ceil(waitMs / 1000))];
  const notBeforeMs = clock.monotonicMs() + waitMs;
  const retry = { label: l10n.t('Retry'), run: () => next.retry(notBeforeMs) };
  const changeUrl = { label: l10n.t('Change URL…'), run: () => next.changeUrl() };
  switch (outcome.kind) {
    case 'accepted':
      return messages.done(l10n.t("The webhook of '{0}' is now {1}.", name, url.href));
    case 'rejected': {
      const { refusal, tryLater } = outcome;
      const message = l10n.t('{0} rejected the webhook: {1}', name, formatRefusal(refusal));
      if (tryLater) return messages.warn(formatSentences([message, ...pause]), retry);
      if (mayBeBadKey(outcome))
        return messages.warn(
          message,
          replaceAccessKey(services, next.current, () => next.retry()),
          changeUrl,
        );
      if (refusal.by === 'envelope') {
        return messages.warn(
          message,
          changeUrl,
          editRequestAction(services, next.current, () => next.retry()),
        );
      }
      const where = l10n.t('The path {0} is assumed. This service may use a different one.', contract.paths.setWebhook);
      return messages.warn(formatSentences([withStop(message), where]), next.editPath, changeUrl);
    }
    case 'notSent': {
      if (outcome.cause.name === 'CanceledError') return;
      const cause = formatFailure(failureOf(outcome.cause));
      return messages.warn(l10n.t("The webhook of '{0}' was not set. {1}", name, cause), retry);
    }
    case 'unconfirmed': {
      const cause = formatFailure(failureOf(outcome.cause));
      const message = l10n.t('{0} may have received the webhook, but did not confirm it. {1}', name, cause);
      return messages.warn(formatSentences([message, ...pause]), retry);
    }
  }
}

/** A sentence with its full stop, after words of the service that may have one. */
function withStop(sentence: string): string {
  return /[.!?。]$/u.test(sentence) ? sentence : l10n.t('{0}.', sentence);
}
