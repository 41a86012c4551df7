import { l10n, ProgressLocation, window } from 'vscode';
import type { Dataset } from '../../service/dataset';
import type { ImportService } from '../../service/importService';
import type { Outcome } from '../../service/outcome';
import { failureOf } from '../../tasks/trackedTask';
import { type ChooseDeps, chooseDataset, readyDestination } from '../chooseDataset';
import { enterAccessKey } from '../enterAccessKey';
import type { Messages } from '../messages';
import { plainText } from '../plainText';
import type { Webhooks } from '../webhooks';
import { failureWords, refusalWords } from '../words';

/** What setting a webhook takes. */
export interface WebhookDeps extends ChooseDeps {
  readonly service: ImportService;
  readonly webhooks: Webhooks;
  readonly messages: Messages;
}

/** Asks for an address and registers it with a dataset's service, which is a change there (INTERFACE.md 4.4). */
export async function setWebhook(deps: WebhookDeps, target: unknown): Promise<void> {
  const dataset = await chooseDataset(deps, target, l10n.t('Set Webhook'));
  const destination = dataset && (await readyDestination(deps, dataset));
  if (dataset === undefined || destination === undefined) return;
  const url = await askWebhookUrl(dataset, deps.webhooks.last(dataset));
  if (url === undefined || !(await confirm(dataset, url))) return;
  const title = l10n.t("Setting the webhook of '{0}'", dataset.name);
  const outcome = await window.withProgress(
    { location: ProgressLocation.Notification, title: plainText(title), cancellable: true },
    (_progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return deps.service.setWebhook(destination.target, url, { signal: stop.signal });
    },
  );
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
  const question = l10n.t("Set the webhook of dataset '{0}' to {1}?", name, url.href);
  const detail = l10n.t('This changes the state of the service, for everyone who uses the dataset.');
  return (await window.showWarningMessage(question, { modal: true, detail }, set)) === set;
}

async function tell(deps: WebhookDeps, dataset: Dataset, url: URL, outcome: Outcome<undefined>): Promise<void> {
  const { name } = dataset;
  const again = { label: l10n.t('Try Again'), run: () => setWebhook(deps, { dataset }) };
  switch (outcome.kind) {
    case 'accepted':
      await deps.webhooks.remember(dataset, url);
      return deps.messages.done(l10n.t("'{0}' took {1} as its webhook.", name, url.href));
    case 'rejected': {
      const replaceKey = { label: l10n.t('Replace Access-Key…'), run: () => enterAccessKey(deps.keys, dataset) };
      const words = l10n.t("'{0}' rejected the webhook: {1}", name, refusalWords(outcome.refusal));
      return deps.messages.warn(words, ...(outcome.badKey ? [replaceKey] : []), again);
    }
    case 'notSent':
      if (outcome.cause.name === 'CancelledError') return;
      return deps.messages.warn(l10n.t('The webhook was not set. {0}', failureWords(failureOf(outcome.cause))), again);
    case 'unconfirmed': {
      const words = failureWords(failureOf(outcome.cause));
      return deps.messages.warn(l10n.t("It is not certain whether '{0}' took the webhook. {1}", name, words), again);
    }
  }
}
