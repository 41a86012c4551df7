import { l10n } from 'vscode';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import { formatPause } from './formatPause';

/** Why a task is not checked, for its row, in so few words that a narrow view does not cut them off. */
export function formatNotChecked(why: WhyWaits): string {
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
    case 'paused':
      return formatPause(why.pause.reason);
  }
}

/** Why a queued import waits, for its row. */
export function formatWaits(why: WhyWaits): string {
  if (why.kind === 'paused') {
    const { reason, untilMs } = why.pause;
    const words = formatPause(reason);
    return untilMs === Number.POSITIVE_INFINITY ? words : l10n.t('{0}, retrying', words);
  }
  switch (why.kind) {
    case 'removed':
      return l10n.t('waiting: dataset removed');
    case 'moved':
      return l10n.t('waiting: moved to {0}', why.host);
    case 'noKey':
      return l10n.t('waiting: no access key');
    case 'sandboxStopped':
    case 'otherSandbox':
      return l10n.t('waiting: queued for another sandbox');
  }
}
