import { isDeepStrictEqual } from 'node:util';
import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import { KEY_MASK } from '../../service/masking/mask';
import { previewJson } from '../../service/request/preview';
import { setWebhookRequest } from '../../service/request/requests';
import { mayBeBadKey, type Outcome } from '../../service/response/outcome';
import { causeOf } from '../../tasks/sending/importEnd';
import { sendWebhook } from '../../tasks/sending/sendWebhook';
import { ensureAccessKey, replaceAccessKey } from '../datasets/enterAccessKey';
import { datasetNamed } from '../datasets/findDataset';
import { commandAction, dialogTitle } from '../platform/actions';
import { formatSentences } from '../platform/format';
import { formatRejection } from '../platform/formatFailures';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services';
import { formatCause } from '../wording/causes';

/** Asks for a URL and, after the user confirms, registers it with a dataset's service. */
export async function setWebhook(
  services: Services,
  dataset: Dataset,
  value = services.datasets.webhookOf(dataset)?.url ?? '',
): Promise<void> {
  const fault = l10n.t('Enter a URL that begins with https:// or http:// and has no user name or password.');
  const typed = await services.picks.text({
    title: l10n.t("Webhook of '{0}'", dataset.name),
    prompt: l10n.t('Enter the URL for {0} to call. The service must be able to reach it.', dataset.baseUrl.host),
    placeHolder: 'https://example.com/hooks/import',
    value,
    validateInput: (text) => (webhookUrl(text) === undefined ? fault : undefined),
  });
  const url = webhookUrl(typed ?? '');
  if (url !== undefined) await confirmAndApply(services, dataset, url);
}

function webhookUrl(typed: string): URL | undefined {
  // `URL.parse` alone would accept `https:host`.
  const url = /^https?:\/\//i.test(typed.trim()) ? URL.parse(typed.trim()) : null;
  return url === null || url.username !== '' || url.password !== '' ? undefined : url;
}

async function confirmAndApply(services: Services, dataset: Dataset, url: URL): Promise<void> {
  const { service, datasets, clock, confirm } = services;
  const question = l10n.t("Set the webhook of dataset '{0}' to '{1}'?", dataset.name, url.href);
  const request = previewJson(setWebhookRequest({ ...dataset, accessKey: KEY_MASK }, url));
  const detail = l10n.t('It changes the service for everyone who uses the dataset. The request:\n\n{0}', request);
  if (!(await confirm(question, detail, dialogTitle('setWebhook')))) return;
  const accessKey = await ensureAccessKey(services, dataset);
  if (accessKey === undefined) return;
  const before = datasets.webhookOf(dataset);
  // Store the URL before sending it, so that we remember it even after a crash.
  const sent = { url: url.href, isVerified: false };
  await datasets.setWebhook(dataset, sent);
  const title = l10n.t("Setting the webhook of '{0}'", dataset.name);
  const send = (signal: AbortSignal, showStep: (message: string) => void) =>
    sendWebhook(service, { ...dataset, accessKey }, url, signal, clock, (ms) =>
      showStep(l10n.t('waiting {0} s as requested by the service', Math.ceil(ms / 1000))),
    );
  const outcome = await withDelayedProgress(title, send, clock);
  // While the request was in flight, the user may have set another webhook, or renamed or removed the dataset.
  const owner = [dataset, ...datasets.all].find(
    (each) => each.baseUrl.origin === dataset.baseUrl.origin && isDeepStrictEqual(datasets.webhookOf(each), sent),
  );
  if (owner && outcome?.kind === 'accepted') await datasets.setWebhook(owner, { ...sent, isVerified: true });
  // In these cases, we know that the service still has its previous webhook.
  if (owner && (outcome?.kind === 'rejected' || outcome?.kind === 'notUploaded'))
    await datasets.setWebhook(owner, before);
  await report(services, dataset, url, outcome);
}

async function report(
  services: Services,
  { name, contract }: Dataset,
  url: URL,
  /** Undefined if the user canceled. */
  outcome: Outcome<undefined> | undefined,
): Promise<void> {
  const { messages } = services;
  const current = () => datasetNamed(services, name);
  const apply = () => confirmAndApply(services, current(), url);
  const changeUrl = { label: l10n.t('Change URL…'), run: () => setWebhook(services, current(), url.href) };
  if (outcome?.kind === 'accepted') return messages.done(l10n.t("The webhook of '{0}' is now {1}.", name, url.href));
  if (outcome?.kind === 'rejected') {
    const message = l10n.t('{0} rejected the webhook: {1}', name, formatRejection(outcome.rejection));
    if (mayBeBadKey(outcome)) return messages.warn(message, replaceAccessKey(services, current, apply), changeUrl);
    if (outcome.rejection.by === 'envelope' && outcome.rejection.status !== 404)
      return messages.warn(message, changeUrl, commandAction('openDatasetSettings'));
    const { setWebhook: path } = contract.paths;
    const hint = l10n.t("If the path is not {0}, set 'paths.setWebhook' in the contract of the dataset.", path);
    return messages.warn(formatSentences([message, hint]), commandAction('openDatasetSettings'), changeUrl);
  }
  const cause = formatCause(outcome === undefined ? { name: 'CanceledError' } : causeOf(outcome));
  const message =
    outcome?.kind === 'notUploaded'
      ? l10n.t("The webhook of '{0}' was not set. {1}", name, cause)
      : l10n.t("The webhook of '{0}' is not verified. {1} Apply again?", name, cause);
  await messages.warn(message, { label: l10n.t('Apply Again'), run: apply });
}
