import { env, l10n } from 'vscode';
import { isLoopback } from '../../service/contract/baseUrl';
import type { BadResponseError, ConnectError, ConnectionLostError, SourceError } from '../../service/errors';
import type { Rejection } from '../../service/response/outcome';
import type { Cause } from '../../tasks/store/model';
import { formatSentences } from './formatLists';
import { shortText } from './outsideText';

/** The fields of all causes. Fields that a cause lacks are empty. */
export interface Fields {
  readonly reason: string;
  readonly host: string;
  readonly status: number;
  readonly excerpt: string;
  readonly target: string;
  readonly detail: string;
  readonly file: string;
  readonly fileName: string;
}

const NONE = { reason: '', host: '', status: 0, excerpt: '', target: '', detail: '', file: '', fileName: '' };

export function fieldsOf(cause: Cause): Fields {
  return { ...NONE, ...cause } as Fields;
}

// Stored causes were written by this version or an older one, so their reasons are known.
type Connect = Pick<Fields, 'host' | 'detail'> & Pick<ConnectError, 'reason'>;
type Lost = Pick<Fields, 'host'> & Pick<ConnectionLostError, 'reason'>;
type BadResponse = Pick<Fields, 'status' | 'excerpt'> & Pick<BadResponseError, 'reason'>;
type Source = Pick<SourceError, 'reason' | 'fileName'>;

/** Says why the service rejected a request. Long codes and messages are cut. */
export function formatRejection(rejection: Rejection): string {
  switch (rejection.by) {
    case 'envelope':
      return rejection.message === null
        ? l10n.t('code {0}, no message', shortText(rejection.code))
        : l10n.t('code {0}: {1}', shortText(rejection.code), shortText(rejection.message));
    case 'status':
      return rejection.excerpt === ''
        ? l10n.t('HTTP {0}', rejection.status)
        : l10n.t('HTTP {0}: {1}', rejection.status, rejection.excerpt);
    case 'redirect':
      return rejection.target === ''
        ? l10n.t('HTTP {0}, a redirect without a target. Redirects are not followed.', rejection.status)
        : l10n.t('HTTP {0}, a redirect to {1}. Redirects are not followed.', rejection.status, rejection.target);
  }
}

/** The service's own words in a rejection, which may be empty. */
export function rejectionText(rejection: Rejection): string {
  switch (rejection.by) {
    case 'envelope':
      return rejection.message ?? '';
    case 'status':
      return rejection.excerpt;
    case 'redirect':
      return '';
  }
}

/** Says in sentences why a request has no clear response. `remoteName` is empty in a local window. */
export function formatFailure(cause: Cause, remoteName = env.remoteName ?? ''): string {
  const fields = fieldsOf(cause);
  switch (cause.name) {
    case 'ConnectError':
      return formatConnect(fields as Connect, remoteName);
    case 'ConnectionLostError':
      return formatConnectionLost(fields as Lost);
    case 'BadResponseError':
      return formatBadResponse(fields as BadResponse);
    case 'SourceError':
      return formatSource(fields as Source);
    case 'CanceledError':
      return l10n.t('Canceled.');
    case 'WindowClosed':
      return l10n.t('The window was closed while the file was being sent.');
    default:
      return l10n.t('An unexpected error occurred: {0}.', shortText(fields.detail || cause.name));
  }
}

function formatConnect({ reason, host, detail }: Connect, remoteName: string): string {
  switch (reason) {
    case 'dns':
      return formatSentences([
        l10n.t('The host {0} was not found. Check the base URL and the network.', host),
        formatProxyHint(remoteName),
      ]);
    case 'refused': {
      const url = URL.parse(`http://${host}`);
      if (remoteName !== '' && url !== null && isLoopback(url)) {
        return l10n.t(
          '{0} refused the connection. In this window, localhost is the remote machine: check that the service is running there.',
          host,
        );
      }
      return l10n.t('{0} refused the connection. Check that the service is running.', host);
    }
    case 'timedOut':
      return formatSentences([l10n.t('The connection to {0} timed out.', host), formatProxyHint(remoteName)]);
    case 'unreachable':
      return formatSentences([l10n.t('{0} cannot be reached. Check the network.', host), formatProxyHint(remoteName)]);
    case 'reset':
      return l10n.t('{0} closed the connection while it was being established.', host);
    case 'tls':
      return l10n.t('A secure connection to {0} could not be established: {1}.', host, shortText(detail));
    case 'clientCertificate':
      return l10n.t('{0} requires a client certificate. Dataset Import cannot send one.', host);
    case 'proxy':
      return l10n.t(
        'The proxy {0} did not forward the request: {1}. Check the proxy settings of VS Code.',
        host,
        shortText(detail),
      );
    case 'proxyLogin':
      return l10n.t('The proxy {0} rejected the credentials. Check http.proxyAuthorization in the settings.', host);
    case 'proxyScheme':
      return l10n.t('The proxy {0} is of a kind that is not supported. http, https and socks5 are.', host);
    case 'other':
      return l10n.t('A connection to {0} could not be established: {1}.', host, shortText(detail));
  }
}

function formatProxyHint(remoteName: string): string {
  return remoteName === ''
    ? l10n.t("If the network has a proxy, set it in http.proxy: the system's proxy is not used.")
    : l10n.t(
        "If the network has a proxy, set http.proxy in the remote settings: the local settings and the system's proxy are not used.",
      );
}

function formatConnectionLost({ reason, host }: Lost): string {
  switch (reason) {
    case 'reset':
      return l10n.t('{0} closed the connection before it responded.', host);
    case 'stalled':
      return l10n.t('{0} stopped receiving data.', host);
    case 'silent':
      return l10n.t('The request was sent, but {0} did not respond in time.', host);
    case 'truncated':
      return l10n.t('The response from {0} was cut off.', host);
  }
}

function formatBadResponse({ reason, status, excerpt }: BadResponse): string {
  switch (reason) {
    case 'serverError':
      return excerpt === ''
        ? l10n.t('The service reported an error (HTTP {0}) without a message.', status)
        : l10n.t("The service reported an error (HTTP {0}): '{1}'.", status, excerpt);
    case 'notJson':
      return excerpt === ''
        ? l10n.t('The response (HTTP {0}) is empty.', status)
        : l10n.t("The response (HTTP {0}) is not JSON: '{1}'.", status, excerpt);
    case 'notEnvelope':
      return l10n.t("The response (HTTP {0}) has no code: '{1}'.", status, excerpt);
    case 'tooLarge':
      return l10n.t('The response (HTTP {0}) is larger than 1 MB.', status);
    case 'redirect':
      return excerpt === ''
        ? l10n.t('The service sent a redirect (HTTP {0}) without a target. Redirects are not followed.', status)
        : l10n.t('The service sent a redirect to {0} (HTTP {1}). Redirects are not followed.', excerpt, status);
    case 'notHttp':
      return l10n.t('The response is not valid HTTP: {0}.', shortText(excerpt));
    case 'largeHeaders':
      return l10n.t('The headers of the response are too large.');
  }
}

/** Names the file and its problem in a sentence. */
export function formatSource({ reason, fileName }: Source): string {
  switch (reason) {
    case 'missing':
      return l10n.t("'{0}' was not found.", fileName);
    case 'invalidName':
      return l10n.t("The name of '{0}' or of its folder is not valid UTF-8. Rename it to import it.", fileName);
    case 'forbiddenHost':
      return l10n.t(
        "'{0}' is on a network host that VS Code does not allow. Add the host to the setting 'security.allowedUNCHosts'.",
        fileName,
      );
    case 'unreadable':
      return l10n.t("'{0}' cannot be read. Check its permissions.", fileName);
    case 'busy':
      return l10n.t("'{0}' is in use by another program, or its network or cloud drive is unavailable.", fileName);
    case 'notFile':
      return l10n.t("'{0}' is not a file.", fileName);
    case 'empty':
      return l10n.t("'{0}' is empty.", fileName);
    case 'binary':
      return l10n.t("'{0}' is not a text file.", fileName);
    case 'changed':
      return l10n.t("'{0}' changed while it was being sent.", fileName);
    case 'changing':
      return l10n.t("'{0}' keeps changing.", fileName);
    case 'ownStorage':
      return l10n.t("'{0}' belongs to the storage of Dataset Import and cannot be imported.", fileName);
  }
}
