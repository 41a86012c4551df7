import { l10n } from 'vscode';
import type { Cause, ImportRow, Pause } from '../../tasks/store/model';
import { type Fields, fieldsOf, formatFailure, formatRejection, type ShownRejection } from '../platform/formatFailures';
import { formatSentences } from '../platform/formatLists';
import { formatDuration } from '../platform/formatNumbers';
import { shortText } from '../platform/outsideText';

/** Why an import or a task isn't served at all. */
export type WhyNotServed =
  /** There is no dataset with that name. */
  | { readonly kind: 'removed' }
  /** The dataset has a fault in the settings. */
  | { readonly kind: 'faulty' }
  /** The dataset's base URL has another origin now. */
  | { readonly kind: 'moved'; readonly host: string }
  | { readonly kind: 'noKey' }
  /** The sandbox doesn't run in this window. */
  | { readonly kind: 'sandboxStopped' };

export type WhyWaits = WhyNotServed | Pause;

export function isPause(why: WhyWaits | undefined): why is Pause {
  return why !== undefined && 'reason' in why;
}

/** A cause in a few words, for a row or the name of a group. */
export function formatReason(cause: Cause): string {
  const fields = fieldsOf(cause);
  switch (cause.name) {
    case 'Rejected':
      return cause['by'] === 'redirect'
        ? l10n.t('redirect (HTTP {0})', fields.status)
        : shortText(formatRejection(cause as unknown as ShownRejection));
    case 'ConnectError':
      return connectReason(fields);
    case 'ConnectionLostError':
      return lostReason(fields);
    case 'BadResponseError':
      return responseReason(fields);
    case 'SourceError':
      return sourceReason(fields);
    case 'CanceledError':
      return l10n.t('canceled');
    case 'WindowClosed':
      return l10n.t('window closed during the upload');
    case 'RepeatedId':
      return l10n.t("has the task ID of '{0}'", shortText(fields.file));
    case 'Superseded':
      return l10n.t('imported again in the meantime');
    case 'Marked':
      return l10n.t('marked as uploaded');
    default:
      return l10n.t('unexpected error: {0}', shortText(fields.detail || cause.name));
  }
}

function connectReason({ reason, host }: Fields): string {
  switch (reason) {
    case 'tls':
      return l10n.t('no secure connection to {0}', host);
    case 'clientCertificate':
      return l10n.t('{0} requires a client certificate', host);
    case 'proxy':
      return l10n.t('blocked by proxy {0}', host);
    case 'proxyLogin':
      return l10n.t('proxy {0} rejected the credentials', host);
    case 'proxyScheme':
      return l10n.t('proxy {0} is not supported', host);
    default:
      return l10n.t('cannot reach {0}', host);
  }
}

function lostReason({ reason }: Fields): string {
  switch (reason) {
    case 'stalled':
      return l10n.t('upload stalled');
    case 'silent':
      return l10n.t('no response in time');
    case 'truncated':
      return l10n.t('response cut off');
    default:
      return l10n.t('connection closed');
  }
}

function responseReason({ reason, status, excerpt }: Fields): string {
  switch (reason) {
    case 'serverError':
      return l10n.t('server error (HTTP {0})', status);
    case 'redirect':
      return l10n.t('redirect (HTTP {0})', status);
    case 'repeatedId':
      return l10n.t("has the task ID of '{0}'", shortText(excerpt));
    default:
      return l10n.t('unreadable response');
  }
}

function sourceReason({ reason }: Fields): string {
  switch (reason) {
    case 'missing':
      return l10n.t('file not found');
    case 'invalidName':
      return l10n.t('name is not valid UTF-8');
    case 'forbiddenHost':
      return l10n.t('network host is not allowed');
    case 'busy':
      return l10n.t('file is in use or unavailable');
    case 'notFile':
      return l10n.t('not a file');
    case 'empty':
      return l10n.t('file is empty');
    case 'binary':
      return l10n.t('not a text file');
    case 'changed':
      return l10n.t('file changed during the upload');
    case 'changing':
      return l10n.t('file keeps changing');
    case 'ownStorage':
      return l10n.t('file of Dataset Import');
    default:
      return l10n.t('file cannot be read');
  }
}

/** A cause as sentences that say more than {@link formatReason}: for tooltips, details and messages. */
export function formatCause(cause: Cause, sent?: Pick<ImportRow, 'sentBytes' | 'sizeBytes'>): string {
  switch (cause.name) {
    case 'Rejected': {
      const text = formatRejection(cause as unknown as ShownRejection);
      return cause['blocked']
        ? l10n.t('{0}. The service accepts other files, so a gateway such as a firewall may block this one.', text)
        : text;
    }
    case 'ConnectionLostError': {
      const text = formatFailure(cause);
      // A service that refuses a large file may reset the connection, and then its response can be lost.
      const isCutShort = cause.reason === 'reset' && sent !== undefined && sent.sentBytes < sent.sizeBytes;
      return isCutShort ? formatSentences([text, l10n.t('The file may be too large for the service.')]) : text;
    }
    case 'RepeatedId':
      return l10n.t(
        "The response has the task ID of '{0}', whose content is different.",
        shortText(`${cause['file']}`),
      );
    case 'Superseded':
      return l10n.t('The file was imported again before this import was sent.');
    case 'Marked':
      return l10n.t('You marked this import as uploaded.');
    default:
      return formatFailure(cause);
  }
}

/** Why a destination sends nothing, in a few words. With a time, it includes when the next try is. */
export function formatPause(pause: Pause, nowMs?: number): string {
  const text = pauseReason(pause);
  if (pause.untilMs === null) return text;
  return nowMs === undefined
    ? l10n.t('{0}, retrying', text)
    : l10n.t('{0}, retrying in {1}', text, formatDuration(Math.max(1000, pause.untilMs - nowMs)));
}

function pauseReason({ reason, cause }: Pause): string {
  switch (reason) {
    case 'store':
      return l10n.t('cannot write the task database');
    case 'busy':
      return l10n.t('the service is busy');
    case 'badKey':
      return l10n.t('access key rejected');
    case 'noTarget':
      return l10n.t('no access key');
    default: {
      if (cause) return formatReason(cause);
      return reason === 'rejections' ? l10n.t('several rejected alike') : l10n.t('the service reports errors');
    }
  }
}

/** Why a queued import waits, or a task isn't checked, in a few words. */
export function formatWhy(why: WhyWaits, nowMs?: number): string {
  if (isPause(why)) return formatPause(why, nowMs);
  switch (why.kind) {
    case 'removed':
      return l10n.t('dataset removed');
    case 'faulty':
      return l10n.t('error in the dataset settings');
    case 'moved':
      return l10n.t('moved to {0}', why.host);
    case 'noKey':
      return l10n.t('no access key');
    case 'sandboxStopped':
      return l10n.t('sandbox not running here');
  }
}
