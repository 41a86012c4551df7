import { l10n } from 'vscode';
import type { Rejection } from '../../service/response/outcome';
import type { Cause, ImportRow, Pause } from '../../tasks/store/model';
import { formatDuration, formatSentences } from '../platform/format';
import { type Fields, fieldsOf, formatFailure, formatRejection } from '../platform/formatFailures';
import { shortText } from '../platform/outsideText';

/** Why this window can't run a destination's uploads and status checks. */
export type WhyNotServed =
  /** No dataset has the destination's name. */
  | { readonly reason: 'removed' }
  /** The dataset's settings have an error. */
  | { readonly reason: 'faulty' }
  /** The dataset's base URL has another origin now. */
  | { readonly reason: 'moved'; readonly host: string }
  | { readonly reason: 'noKey' }
  /** The destination's sandbox isn't running in this window, but a newer one may be. */
  | { readonly reason: 'sandboxStopped' };

export type WhyWaits = WhyNotServed | Pause;

export function isPause(why: WhyWaits | undefined): why is Pause {
  return why !== undefined && 'untilMs' in why;
}

/** Each key is an error's name, optionally followed by its reason. */
const REASONS: Readonly<Record<string, (fields: Fields) => string>> = {
  ConnectError: ({ host }) => l10n.t('cannot reach {0}', host),
  'ConnectError tls': ({ host }) => l10n.t('no secure connection to {0}', host),
  'ConnectError clientCertificate': ({ host }) => l10n.t('{0} requires a client certificate', host),
  'ConnectError proxy': ({ host }) => l10n.t('blocked by proxy {0}', host),
  'ConnectError proxyLogin': ({ host }) => l10n.t('proxy {0} rejected the credentials', host),
  'ConnectError proxyScheme': ({ host }) => l10n.t('proxy {0} is not supported', host),
  ConnectionLostError: () => l10n.t('connection closed'),
  'ConnectionLostError stalled': () => l10n.t('upload stalled'),
  'ConnectionLostError silent': () => l10n.t('no response in time'),
  'ConnectionLostError truncated': () => l10n.t('response cut off'),
  BadResponseError: () => l10n.t('unreadable response'),
  'BadResponseError serverError': ({ status }) => l10n.t('server error (HTTP {0})', status),
  'BadResponseError redirect': ({ status }) => l10n.t('redirect (HTTP {0})', status),
  SourceError: () => l10n.t('file cannot be read'),
  'SourceError missing': () => l10n.t('file not found'),
  'SourceError invalidName': () => l10n.t('name is not valid UTF-8'),
  'SourceError forbiddenHost': () => l10n.t('network host is not allowed'),
  'SourceError busy': () => l10n.t('file is in use or unavailable'),
  'SourceError notFile': () => l10n.t('not a file'),
  'SourceError empty': () => l10n.t('file is empty'),
  'SourceError changed': () => l10n.t('file changed during the upload'),
  'SourceError changing': () => l10n.t('file keeps changing'),
  'SourceError ownStorage': () => l10n.t('file of Dataset Import'),
  CanceledError: () => l10n.t('canceled'),
  WindowClosed: () => l10n.t('window closed during the upload'),
  RepeatedId: ({ file }) => l10n.t("has the task ID of '{0}'", shortText(file)),
  Superseded: () => l10n.t('imported again in the meantime'),
  Marked: () => l10n.t('marked as uploaded'),
};

/** A short reason for rows and group names. */
export function formatReason(cause: Cause): string {
  const fields = fieldsOf(cause);
  if (cause.name === 'Rejected')
    return cause['by'] === 'redirect'
      ? l10n.t('redirect (HTTP {0})', fields.status)
      : shortText(formatRejection(cause as unknown as Rejection));
  const format = REASONS[`${cause.name} ${fields.reason}`] ?? REASONS[cause.name];
  return format?.(fields) ?? l10n.t('unexpected error: {0}', shortText(fields.detail || cause.name));
}

/** Full sentences for tooltips, details and messages. */
export function formatCause(cause: Cause, sent?: Pick<ImportRow, 'sentBytes' | 'sizeBytes'>): string {
  switch (cause.name) {
    case 'Rejected': {
      const text = formatRejection(cause as unknown as Rejection);
      return cause['blocked']
        ? l10n.t('{0}. The service accepts other files, so a gateway such as a firewall may block this one.', text)
        : text;
    }
    case 'ConnectionLostError': {
      const text = formatFailure(cause);
      // A service that rejects a large file may reset the connection before we can read its response.
      const isCutShort = cause.reason === 'reset' && sent !== undefined && sent.sentBytes < sent.sizeBytes;
      return isCutShort ? formatSentences([text, l10n.t('The file may be too large for the service.')]) : text;
    }
    case 'RepeatedId':
      return l10n.t(
        "The response has the task ID of '{0}', whose content is different.",
        shortText(`${cause['file']}`),
      );
    case 'Superseded':
    case 'Marked':
      return formatReason(cause);
    default:
      return formatFailure(cause);
  }
}

/** Descriptions of reasons that are more helpful than a pause's `cause`. */
const WAITS: Readonly<Record<string, (host: string) => string>> = {
  store: () => l10n.t('cannot write the task database'),
  busy: () => l10n.t('the service is busy'),
  badKey: () => l10n.t('access key rejected'),
  noKey: () => l10n.t('no access key'),
  removed: () => l10n.t('dataset removed'),
  faulty: () => l10n.t('error in the dataset settings'),
  moved: (host) => l10n.t('moved to {0}', host),
  sandboxStopped: () => l10n.t('its sandbox is not running here'),
};

/**
 * A short description of why imports are waiting or tasks aren't being checked. If `nowMs` is given, includes the time
 * until the next retry.
 */
export function formatWhy(why: WhyWaits, nowMs?: number): string {
  const cause = isPause(why) ? why.cause : undefined;
  const text =
    WAITS[why.reason]?.('host' in why ? why.host : '') ??
    (cause ? formatReason(cause) : l10n.t('the service reports errors'));
  if (!isPause(why) || why.untilMs === null)
    return why.reason === 'unconfirmed' ? l10n.t('{0}, waiting for Try Now', text) : text;
  return nowMs === undefined
    ? l10n.t('{0}, retrying', text)
    : l10n.t('{0}, retrying in {1}', text, formatDuration(Math.max(1000, why.untilMs - nowMs)));
}
