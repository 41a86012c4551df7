import { l10n } from 'vscode';
import type { WhyNotAsked } from '../../tasks/following/whyNotAsked';

/** Why a task is not checked, for its row, in so few words that a narrow view does not cut them off. */
export function formatNotChecked(why: WhyNotAsked): string {
  switch (why.kind) {
    case 'removed':
      return l10n.t('not checked: dataset removed');
    case 'moved':
      return l10n.t('not checked: moved to {0}', why.host);
    case 'noKey':
      return l10n.t('not checked: no access key');
    case 'sandboxStopped':
      return l10n.t('not checked: sandbox stopped');
    case 'otherSandbox':
      return l10n.t('not checked: sandbox of another window');
  }
}

/** Why a queued import waits for the user, for its row; undefined where it does not. */
export function formatWaits(why: WhyNotAsked): string | undefined {
  if (why.kind === 'moved') return l10n.t('waiting: moved to {0}', why.host);
  return why.kind === 'sandboxStopped' || why.kind === 'otherSandbox'
    ? l10n.t('waiting: queued for another sandbox')
    : undefined;
}
