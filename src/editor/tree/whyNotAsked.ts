import { l10n } from 'vscode';
import { SANDBOX_NAME } from '../../service/contract/dataset';
import { type Destination, isAt } from '../../tasks/destination';
import type { AccessKeys } from '../accessKeys/accessKeys';
import type { Datasets } from '../datasets/datasets';
import type { SandboxHost } from '../sandbox/sandboxHost';

/** Why the service of a task cannot be asked about it. */
export type WhyNotAsked =
  /** There is no dataset of that name. */
  | { readonly kind: 'removed' }
  /** The dataset's base URL has another origin now. */
  | { readonly kind: 'moved'; readonly host: string }
  | { readonly kind: 'noKey' }
  | { readonly kind: 'sandboxStopped' }
  /** The sandbox of another window, which alone can ask it. */
  | { readonly kind: 'otherSandbox' };

/** What tells whether a destination can be asked; none of it waits for anything. */
export interface Askable {
  readonly datasets: Pick<Datasets, 'find'>;
  readonly keys: Pick<AccessKeys, 'lacks'>;
  readonly sandbox: Pick<SandboxHost, 'runsElsewhere'>;
}

/** Why a destination cannot be asked at present; undefined where it can, as far as is known. */
export function whyNotAsked({ datasets, keys, sandbox }: Askable, destination: Destination): WhyNotAsked | undefined {
  const dataset = datasets.find(destination.dataset);
  if (dataset !== undefined && isAt(destination, dataset.baseUrl))
    return keys.lacks(dataset) ? { kind: 'noKey' } : undefined;
  if (destination.dataset === SANDBOX_NAME) {
    return { kind: sandbox.runsElsewhere(destination.origin) ? 'otherSandbox' : 'sandboxStopped' };
  }
  return dataset === undefined ? { kind: 'removed' } : { kind: 'moved', host: dataset.baseUrl.host };
}

/** Why a task cannot be asked about, for its row. */
export function formatNotChecked(why: WhyNotAsked, dataset: string): string {
  switch (why.kind) {
    case 'removed':
      return l10n.t('not checked: {0} was removed', dataset);
    case 'moved':
      return l10n.t('not checked: {0} moved to {1}', dataset, why.host);
    case 'noKey':
      return l10n.t('not checked: {0} has no access key', dataset);
    case 'sandboxStopped':
      return l10n.t('not checked: sandbox is stopped');
    case 'otherSandbox':
      return l10n.t('not checked: sandbox of another window');
  }
}

/** Why an import waits to be sent, for its row; undefined where it does not wait for a person. */
export function formatWaits(why: WhyNotAsked, dataset: string): string | undefined {
  if (why.kind === 'moved') return l10n.t('waiting: {0} moved to {1}', dataset, why.host);
  return why.kind === 'sandboxStopped' || why.kind === 'otherSandbox'
    ? l10n.t('waiting: it was for another sandbox')
    : undefined;
}
