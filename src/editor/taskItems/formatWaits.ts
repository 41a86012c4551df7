import { l10n } from 'vscode';
import type { WhyPaused } from '../../tasks/serving/importPause';
import type { WhyWaits } from '../../tasks/serving/whyNotAsked';
import type { Failure } from '../../tasks/trackedTask';
import { formatEnd } from '../platform/formatOutcome';
import { shortText } from '../platform/outsideText';

/** Why a task is not checked, for its row, in so few words that a narrow view does not cut them off. */
export function formatNotChecked(why: WhyWaits): string {
  switch (why.kind) {
    case 'removed':
      return l10n.t('not checked: dataset removed');
    case 'faulty':
      return l10n.t('not checked: error in the dataset settings');
    case 'moved':
      return l10n.t('not checked: moved to {0}', why.host);
    case 'noKey':
      return l10n.t('not checked: no access key');
    case 'sandboxStopped':
      return l10n.t('not checked: sandbox not running here');
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
    case 'faulty':
      return l10n.t('waiting: error in the dataset settings');
    case 'moved':
      return l10n.t('waiting: moved to {0}', why.host);
    case 'noKey':
      return l10n.t('waiting: no access key');
    case 'sandboxStopped':
      return l10n.t('waiting: queued for another sandbox');
  }
}

/** Why imports wait, in a few words that begin in lower case. */
export function formatPause(reason: WhyPaused): string {
  switch (reason.kind) {
    case 'store':
      return l10n.t('cannot write the task database');
    case 'busy':
      return l10n.t('the service is busy');
    case 'badKey':
      return l10n.t('access key rejected');
    case 'noTarget':
      return l10n.t('no access key');
    case 'rejections':
      return l10n.t('rejected: {0}', shortText(formatEnd(reason.end)));
    case 'unreachable':
    case 'unconfirmed':
      return 'failure' in reason.end ? formatFailing(reason.end.failure) : l10n.t('the service reports errors');
  }
}

function formatFailing(failure: Failure): string {
  switch (failure.name) {
    case 'ConnectError':
      if (failure.reason === 'tls') return l10n.t('no secure connection to {0}', failure.host);
      if (failure.reason === 'clientCertificate') return l10n.t('{0} requires a client certificate', failure.host);
      if (failure.reason === 'proxyLogin') return l10n.t('proxy {0} rejected the credentials', failure.host);
      if (failure.reason === 'proxyScheme') return l10n.t('proxy {0} is not supported', failure.host);
      if (failure.reason === 'proxy') return l10n.t('blocked by proxy {0}', failure.host);
      return l10n.t('cannot reach {0}', failure.host);
    case 'ConnectionLostError':
      return l10n.t('lost the connection to {0}', failure.host);
    case 'BadResponseError':
      return failure.reason === 'serverError'
        ? l10n.t('the service has an error (HTTP {0})', failure.status)
        : l10n.t('the response of the service cannot be read');
    default:
      return l10n.t('the service reports errors');
  }
}
