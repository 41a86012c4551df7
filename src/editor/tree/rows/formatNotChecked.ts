import { l10n } from 'vscode';
import type { WhyNotAsked } from '../../../tasks/following/whyNotAsked';

/** Why a task is not checked, for its row. */
export function formatNotChecked(why: WhyNotAsked, dataset: string): string {
  switch (why.kind) {
    case 'removed':
      return l10n.t('not checked: {0} was removed', dataset);
    case 'moved':
      return l10n.t('not checked: {0} moved to {1}', dataset, why.host);
    case 'noKey':
      return l10n.t('not checked: {0} has no access key', dataset);
    case 'sandboxStopped':
      return l10n.t('not checked: the sandbox is stopped');
    case 'otherSandbox':
      return l10n.t('not checked: the sandbox runs in another window');
  }
}

/** Why a queued import waits for the user, for its row; undefined where it does not. */
export function formatWaits(why: WhyNotAsked, dataset: string): string | undefined {
  if (why.kind === 'moved') return l10n.t('waiting: {0} moved to {1}', dataset, why.host);
  return why.kind === 'sandboxStopped' || why.kind === 'otherSandbox'
    ? l10n.t('waiting: queued for another sandbox')
    : undefined;
}
