import { l10n } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Destination } from '../../tasks/store/model';
import { formatList, formatSentences } from '../platform/format';
import type { Services } from '../services';
import { ensureAccessKey } from './enterAccessKey';
import { whyNotServed } from './findDataset';

type Preparing = Pick<Services, 'datasets' | 'keys' | 'store' | 'picks' | 'confirm'>;

/**
 * Asks what we need to know before we can send anything to a dataset: whether it is new, and its access key. Returns
 * false if the user cancels.
 */
export async function makeReady(services: Preparing, dataset: Dataset): Promise<boolean> {
  return (await confirmNew(services, dataset)) && (await ensureAccessKey(services, dataset)) !== undefined;
}

/**
 * Asks for confirmation if a dataset without tasks has the base URL of a dataset that is gone. If the user has renamed
 * the dataset in settings.json, we don't know its files under the new name, and would upload them a second time.
 */
async function confirmNew(services: Preparing, { name, baseUrl }: Dataset): Promise<boolean> {
  const there = (await services.store.destinations(null)).filter(({ origin }) => origin === baseUrl.origin);
  if (there.some(({ dataset }) => dataset === name)) return true;
  // A dataset with another base URL may have the old name now.
  const isGone = (one: Destination) => ['removed', 'moved'].includes(whyNotServed(services, one)?.reason ?? '');
  const gone = there.filter(isGone).map(({ dataset }) => l10n.t("'{0}'", dataset));
  if (gone.length === 0) return true;
  const detail = [
    l10n.t('Files were imported to {0} under another name: {1}.', baseUrl.host, formatList(gone)),
    l10n.t('A new dataset does not know these files and may receive them a second time.'),
    l10n.t(
      'If you renamed the dataset in settings.json or on another machine, change the name back there and use Rename Dataset… here.',
    ),
  ];
  const question = l10n.t("Is '{0}' a new dataset?", name);
  return services.confirm(question, formatSentences(detail), l10n.t('Use as New Dataset'));
}
