import { type Disposable, l10n } from 'vscode';
import { ensureAccessKey } from '../datasets/enterAccessKey';
import { hostOf } from '../datasets/findDataset';
import { formatCount } from '../platform/formatNumbers';
import { listen } from '../platform/listen';
import type { Services } from '../services/services';

/** Asks, with one message per dataset, where to send queued imports whose dataset has another origin now. */
export function askAboutMoved(services: Services): Disposable {
  const asking = new Set<string>();
  return listen(services.queue.events, 'moved', ({ dataset }) => {
    if (asking.has(dataset)) return;
    asking.add(dataset);
    void ask(services, dataset).finally(() => asking.delete(dataset));
  });
}

async function ask(services: Services, name: string): Promise<void> {
  const { datasets, queue, messages } = services;
  const moved = queue.movedOf(name);
  const [first] = moved;
  const baseUrl = datasets.find(name)?.baseUrl;
  if (first === undefined || baseUrl === undefined) return;
  const [from, to] = [hostOf(first.origin), baseUrl.host];
  const message =
    moved.length === 1
      ? l10n.t("Dataset '{0}' moved from {1} to {2}. 1 file is waiting to be uploaded.", name, from, to)
      : l10n.t(
          "Dataset '{0}' moved from {1} to {2}. {3} files are waiting to be uploaded.",
          name,
          from,
          to,
          formatCount(moved.length),
        );
  const send = {
    label: l10n.t('Send to {0}', to),
    run: () => redirect(services, { dataset: name, origin: baseUrl.origin }),
  };
  const cancel = {
    label: l10n.t("Don't Send"),
    run: () => {
      const waiting = new Set(queue.movedOf(name).map(({ key }) => key));
      return queue.cancel(({ key }) => waiting.has(key));
    },
  };
  await messages.warn(message, send, cancel);
}

/** Redirects to the origin that the message named, unless the dataset has moved again since. */
async function redirect(services: Services, destination: { dataset: string; origin: string }): Promise<void> {
  const { datasets, queue } = services;
  const dataset = datasets.find(destination.dataset);
  const isCurrent = dataset?.baseUrl.origin === destination.origin;
  if (isCurrent && (await ensureAccessKey(services, dataset)) !== undefined) await queue.redirect(destination);
  // The queue finds that they still wait, and asks again.
  else void queue.targetsChanged();
}
