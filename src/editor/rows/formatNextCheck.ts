import { l10n } from 'vscode';
import type { Following } from '../../tasks/following/follower';

/** A shorter wait is not worth a word in a row, which is drawn anew once a minute. */
const LONG_MS = 120_000;

/** When a task is checked next, where that is long from now. */
export function formatLongWait(following: Following | undefined): string[] {
  const isLong = following?.by === 'thisWindow' && following.inMs >= LONG_MS;
  return isLong ? [formatNextCheck(following)] : [];
}

/** When a task is checked next, or by whom. */
export function formatNextCheck(following: Following): string {
  if (following.by === 'otherWindow') return l10n.t('checked by another window');
  const seconds = Math.ceil(following.inMs / 1000);
  const minutes = Math.round(seconds / 60);
  if (following.isLatest) {
    return seconds < 120
      ? l10n.t('next check within {0} s', seconds)
      : l10n.t('next check within {0} min', Math.ceil(seconds / 60));
  }
  return seconds < 120 ? l10n.t('next check in {0} s', seconds) : l10n.t('next check in {0} min', minutes);
}

/** Why a task of this dataset is checked less often than it could be, where that is so. */
export function formatSlowed(isSlowed: boolean, dataset: string): string[] {
  return isSlowed ? [l10n.t('Checked less often, as reading the responses of {0} takes long.', dataset)] : [];
}
