import { env, l10n } from 'vscode';
import { isLoopback } from '../../service/contract/baseUrl';
import type { BadResponseError, ConnectError, ConnectionLostError, SourceError } from '../../service/errors';
import type { Rejection } from '../../service/response/outcome';
import type { Cause } from '../../tasks/store/model';
import type { FaultReason, StoreFault } from '../../tasks/store/storeFault';
import { formatSentences } from './format';
import { shortText } from './outsideText';

/** Default values for the fields that a cause may lack. */
const NONE = { reason: '', host: '', status: 0, excerpt: '', detail: '', file: '', fileName: '' } as const;

export type Fields = { readonly [Name in keyof typeof NONE]: (typeof NONE)[Name] extends number ? number : string };

export function fieldsOf(cause: object): Fields {
  return { ...NONE, ...cause };
}

/** An error's name, followed by its reason if it has one. */
type Failure =
  | `ConnectError ${ConnectError['reason']}`
  | `ConnectionLostError ${ConnectionLostError['reason']}`
  | `BadResponseError ${BadResponseError['reason']}`
  | `SourceError ${SourceError['reason']}`
  | 'CanceledError'
  | 'WindowClosed';

type Format = (fields: Fields, remoteName: string) => string;

const SENTENCES: Readonly<Record<Failure, Format>> = {
  'ConnectError dns': ({ host }) =>
    withProxyHint(l10n.t('The host {0} was not found. Check the base URL and the network.', host)),
  'ConnectError refused': ({ host }, remoteName) => {
    const url = URL.parse(`http://${host}`);
    if (remoteName === '' || url === null || !isLoopback(url))
      return l10n.t('{0} refused the connection. Check that the service is running.', host);
    return l10n.t(
      '{0} refused the connection. In this window, localhost is the remote machine: check that the service is running there.',
      host,
    );
  },
  'ConnectError timedOut': ({ host }) => withProxyHint(l10n.t('The connection to {0} timed out.', host)),
  'ConnectError unreachable': ({ host }) => withProxyHint(l10n.t('{0} cannot be reached. Check the network.', host)),
  'ConnectError reset': ({ host }) => l10n.t('{0} closed the connection while it was being established.', host),
  'ConnectError tls': ({ host, detail }) =>
    l10n.t('A secure connection to {0} could not be established: {1}.', host, shortText(detail)),
  'ConnectError clientCertificate': ({ host }) =>
    l10n.t('{0} requires a client certificate. Dataset Import cannot send one.', host),
  'ConnectError proxy': ({ host, detail }) =>
    l10n.t(
      'The proxy {0} did not forward the request: {1}. Check the proxy settings of VS Code.',
      host,
      shortText(detail),
    ),
  'ConnectError proxyLogin': ({ host }) =>
    l10n.t('The proxy {0} rejected the credentials. Check http.proxyAuthorization in the settings.', host),
  'ConnectError proxyScheme': ({ host }) =>
    l10n.t('The proxy {0} is of a kind that is not supported. http, https and socks5 are.', host),
  'ConnectError other': ({ host, detail }) =>
    l10n.t('A connection to {0} could not be established: {1}.', host, shortText(detail)),

  'ConnectionLostError reset': ({ host }) => l10n.t('{0} closed the connection before it responded.', host),
  'ConnectionLostError stalled': ({ host }) => l10n.t('{0} stopped receiving data.', host),
  'ConnectionLostError silent': ({ host }) => l10n.t('The request was sent, but {0} did not respond in time.', host),
  'ConnectionLostError truncated': ({ host }) => l10n.t('The response from {0} was cut off.', host),

  'BadResponseError serverError': ({ status, excerpt }) =>
    excerpt === ''
      ? l10n.t('The service reported an error (HTTP {0}) without a message.', status)
      : l10n.t("The service reported an error (HTTP {0}): '{1}'.", status, excerpt),
  'BadResponseError notJson': ({ status, excerpt }) =>
    excerpt === ''
      ? l10n.t('The response (HTTP {0}) is empty.', status)
      : l10n.t("The response (HTTP {0}) is not JSON: '{1}'.", status, excerpt),
  'BadResponseError notEnvelope': ({ status, excerpt }) =>
    l10n.t("The response (HTTP {0}) has no valid code: '{1}'.", status, excerpt),
  'BadResponseError tooLarge': ({ status }) => l10n.t('The response (HTTP {0}) is larger than 1 MB.', status),
  'BadResponseError redirect': ({ status, excerpt }) =>
    l10n.t("The service sent a redirect to '{0}' (HTTP {1}). Redirects are not followed.", excerpt, status),
  'BadResponseError notHttp': ({ excerpt }) => l10n.t('The response is not valid HTTP: {0}.', shortText(excerpt)),
  'BadResponseError largeHeaders': () => l10n.t('The headers of the response are too large.'),

  'SourceError missing': ({ fileName }) => l10n.t("'{0}' was not found.", fileName),
  'SourceError invalidName': ({ fileName }) =>
    l10n.t("The name of '{0}' or of its folder is not valid UTF-8. Rename it to import it.", fileName),
  'SourceError forbiddenHost': ({ fileName }) =>
    l10n.t(
      "'{0}' is on a network host that VS Code does not allow. Add the host to the setting 'security.allowedUNCHosts'.",
      fileName,
    ),
  'SourceError unreadable': ({ fileName }) => l10n.t("'{0}' cannot be read. Check its permissions.", fileName),
  'SourceError busy': ({ fileName }) =>
    l10n.t("'{0}' is in use by another program, its drive is unavailable, or too many files are open.", fileName),
  'SourceError notFile': ({ fileName }) => l10n.t("'{0}' is not a file.", fileName),
  'SourceError empty': ({ fileName }) => l10n.t("'{0}' is empty.", fileName),
  'SourceError changed': ({ fileName }) => l10n.t("'{0}' changed while it was being sent.", fileName),
  'SourceError changing': ({ fileName }) => l10n.t("'{0}' keeps changing.", fileName),
  'SourceError ownStorage': ({ fileName }) =>
    l10n.t("'{0}' belongs to the storage of Dataset Import and cannot be imported.", fileName),

  CanceledError: () => l10n.t('Canceled.'),
  WindowClosed: () => l10n.t('The window was closed while the file was being sent.'),
};

/**
 * Explains why a file can't be sent, or why a request got no clear response. `remoteName` is empty in a local window.
 */
export function formatFailure(cause: Cause | SourceError, remoteName = env.remoteName ?? ''): string {
  const fields = fieldsOf(cause);
  const sentences: Readonly<Record<string, Format>> = SENTENCES;
  const format = sentences[`${cause.name} ${fields.reason}`] ?? sentences[cause.name];
  if (format !== undefined) return format(fields, remoteName);
  return l10n.t('An unexpected error occurred: {0}.', shortText(fields.detail || cause.name));
}

function withProxyHint(sentence: string): string {
  const hint = l10n.t(
    "If the network has a proxy, set http.proxy (for a remote window, in the remote settings). The system's proxy is not used.",
  );
  return formatSentences([sentence, hint]);
}

/** Explains why the service rejected a request. Long codes and messages are truncated. */
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
      return l10n.t("HTTP {0}, a redirect to '{1}'. Redirects are not followed.", rejection.status, rejection.target);
  }
}

const FAULTS: Readonly<Record<FaultReason, (message: string) => string>> = {
  locked: () => l10n.t('The task database is locked by another process, or its network drive cannot lock files.'),
  full: () =>
    l10n.t('The task database cannot be written: the disk is full, its quota is used up, or it has an error.'),
  damaged: () => l10n.t('The task database is damaged.'),
  foreign: () => l10n.t('The task database is damaged.'),
  newer: () =>
    l10n.t(
      'The task database was made by a newer version of Dataset Import. Reload the window, or update the extension.',
    ),
  older: () =>
    l10n.t('Dataset Import was updated. Reload all other windows: some of them still run the older version.'),
  ended: () => l10n.t('The task database stopped unexpectedly and is started again. Try again in a moment.'),
  unusable: (message) => l10n.t('The task database cannot be read or written: {0}', message),
  invalid: (message) => l10n.t('An unexpected error occurred: {0}', message),
};

/** Explains why the task database can't be used. */
export function formatFault({ reason, message }: Pick<StoreFault, 'reason' | 'message'>): string {
  return FAULTS[reason](message);
}

/** An error's message, or any other thrown value as text. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
