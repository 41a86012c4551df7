import { l10n } from 'vscode';
import type { PauseReason } from '../../tasks/serving/gate';
import type { Failure } from '../../tasks/trackedTask';

/** Why imports wait, in a few words that begin in lower case. */
export function formatPause(reason: PauseReason): string {
  switch (reason.kind) {
    case 'store':
      return l10n.t('cannot write the task database');
    case 'checks':
      return l10n.t('status checks are paused too');
    case 'busy':
      return l10n.t('the service is busy');
    case 'badKey':
      return l10n.t('access key rejected');
    case 'noTarget':
      return l10n.t('no access key');
    case 'rejections':
      return l10n.t('the first files were rejected');
    case 'unreachable':
    case 'unconfirmed':
      return 'failure' in reason.end ? formatFailing(reason.end.failure) : l10n.t('the service reports errors');
  }
}

function formatFailing(failure: Failure): string {
  switch (failure.name) {
    case 'ConnectError':
      if (failure.reason === 'tls') return l10n.t('no secure connection to {0}', failure.host);
      if (failure.reason === 'proxy') return l10n.t('the proxy blocks requests to {0}', failure.host);
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
