import { l10n } from 'vscode';
import type { BaseUrlFault } from '../service/baseUrl';
import type { StoreError } from '../tasks/storeError';
import type { Attempt, EndedPhase, Failure, KeptRefusal, TaskState, TrackedTask } from '../tasks/trackedTask';
import { shortText } from './shortText';

/** A size as people read it, in powers of 1024. */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', bytes);
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  const amount = bytes / 1024 ** power;
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[power - 1]}`;
}

/** How long ago something was. */
export function ageWords(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  if (seconds < 60) return l10n.t('just now');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return l10n.t('{0} min ago', minutes);
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return l10n.t('{0} h ago', hours);
  const days = Math.floor(hours / 24);
  return days === 1 ? l10n.t('yesterday') : l10n.t('{0} days ago', days);
}

/** How long something will still take, roughly. */
export function timeLeftWords(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return l10n.t('{0} s left', seconds);
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return l10n.t('{0} min left', minutes);
  return l10n.t('{0} h left', Math.ceil(minutes / 60));
}

/** A task's state in a word or two. A status that is not understood is shown as the service words it. */
export function stateWords(state: TaskState, task: TrackedTask): string {
  switch (state) {
    case 'queued':
      return l10n.t('queued');
    case 'sending':
      return l10n.t('sending');
    case 'notSent':
      return l10n.t('not sent');
    case 'rejected':
      return l10n.t('rejected');
    case 'unconfirmed':
      return l10n.t('unconfirmed');
    case 'withoutId':
      return l10n.t('accepted, task ID not recognised');
    case 'waiting':
      return l10n.t('accepted');
    case 'running':
      return l10n.t('running');
    case 'succeeded':
      return l10n.t('succeeded');
    case 'failed':
      return l10n.t('failed');
    case 'unreadable':
      return l10n.t('its data in the task database is damaged');
    case 'unknown': {
      const status = task.phase.kind === 'accepted' ? task.phase.report?.status : undefined;
      return status === undefined ? l10n.t('status not recognised') : l10n.t("status '{0}'", shortText(status));
    }
  }
}

/** Why the service said no, its code and message word for word as far as they are short (INTERFACE.md 7: their meanings are not shown). */
export function refusalWords(refusal: KeptRefusal): string {
  switch (refusal.by) {
    case 'envelope':
      return refusal.message === null
        ? l10n.t('code {0}, no message', shortText(refusal.code))
        : l10n.t('code {0}: {1}', shortText(refusal.code), shortText(refusal.message));
    case 'status':
      return refusal.excerpt === ''
        ? l10n.t('HTTP {0}', refusal.status)
        : l10n.t('HTTP {0}: {1}', refusal.status, refusal.excerpt);
    case 'redirect':
      return refusal.target === ''
        ? l10n.t('it redirects without saying where, and redirects are not followed')
        : l10n.t('it redirects to {0}, and redirects are not followed', refusal.target);
  }
}

/** Why there is no clear answer, as a sentence. */
export function failureWords(failure: Failure): string {
  switch (failure.name) {
    case 'ConnectError':
      return connectWords(failure);
    case 'ConnectionLostError':
      return connectionLostWords(failure);
    case 'BadAnswerError':
      return badAnswerWords(failure);
    case 'SourceError':
      return sourceWords(failure);
    case 'CancelledError':
      return l10n.t('It was cancelled.');
    case 'UnexpectedError':
      return l10n.t('Something unexpected happened: {0}.', shortText(failure.detail));
    case 'WindowClosed':
      return l10n.t('The window was closed while the file was being sent.');
    case 'StoreSetAside':
      return l10n.t(
        'The task database was damaged while this window did not respond. Another window may have sent it.',
      );
    case 'TextGone':
      return l10n.t('Its text is not in this window. Import it again from where it was.');
    case 'NoTarget':
      return l10n.t('Its dataset is gone or has no Access-Key.');
    case 'HeldBack':
      return failure.cause === undefined
        ? l10n.t('The import was stopped, as several files before it had failed.')
        : l10n.t('The import was stopped after repeated failures: {0}', endWords(failure.cause));
  }
}

function connectWords({ reason, host, detail }: Extract<Failure, { name: 'ConnectError' }>): string {
  switch (reason) {
    case 'dns':
      return l10n.t('The host {0} was not found. Check the base URL and the network.', host);
    case 'refused':
      return l10n.t('{0} refused the connection. Is the service running there?', host);
    case 'timedOut':
      return l10n.t('{0} did not answer the connection in time.', host);
    case 'unreachable':
      return l10n.t('{0} cannot be reached from here.', host);
    case 'reset':
      return l10n.t('{0} closed the connection as it was being made.', host);
    case 'tls':
      return l10n.t('No secure connection to {0}: {1}.', host, shortText(detail));
    case 'proxy':
      return l10n.t(
        "The proxy did not let the request through to {0}: {1}. Check VS Code's proxy settings.",
        host,
        shortText(detail),
      );
    case 'other':
      return l10n.t('No connection to {0}: {1}.', host, shortText(detail));
  }
}

function connectionLostWords({ reason, host }: Extract<Failure, { name: 'ConnectionLostError' }>): string {
  switch (reason) {
    case 'reset':
      return l10n.t('{0} closed the connection before it had answered.', host);
    case 'stalled':
      return l10n.t('{0} stopped taking data.', host);
    case 'silent':
      return l10n.t('{0} took the request and did not answer in time.', host);
    case 'truncated':
      return l10n.t('The answer of {0} broke off.', host);
  }
}

function badAnswerWords({ reason, status, excerpt }: Extract<Failure, { name: 'BadAnswerError' }>): string {
  switch (reason) {
    case 'serverError':
      return excerpt === ''
        ? l10n.t('The service had an error (HTTP {0}) and sent no text.', status)
        : l10n.t("The service had an error (HTTP {0}): '{1}'.", status, excerpt);
    case 'notJson':
      return excerpt === ''
        ? l10n.t('The answer (HTTP {0}) is empty.', status)
        : l10n.t("The answer (HTTP {0}) is not JSON: '{1}'.", status, excerpt);
    case 'notEnvelope':
      return l10n.t("The answer (HTTP {0}) has no code: '{1}'.", status, excerpt);
    case 'tooLarge':
      return l10n.t('The answer (HTTP {0}) is larger than 1 MB.', status);
    case 'redirect':
      return excerpt === ''
        ? l10n.t('The service redirects (HTTP {0}) without saying where. Redirects are not followed.', status)
        : l10n.t('The service redirects to {0} (HTTP {1}). Redirects are not followed.', excerpt, status);
  }
}

/** How a try to send a file ended, in a few words or a sentence. */
export function endWords(end: EndedPhase): string {
  switch (end.kind) {
    case 'accepted':
      return l10n.t('accepted');
    case 'rejected':
      return refusalWords(end.refusal);
    case 'notSent':
      return failureWords(end.failure);
    case 'unconfirmed':
      return unconfirmedWords(end);
  }
}

/** A service that takes no more of a file may close the connection, and its answer is lost in the race then. */
function unconfirmedWords({ failure, sentBytes, totalBytes }: Extract<EndedPhase, { kind: 'unconfirmed' }>): string {
  const words = failureWords(failure);
  const isCutShort = failure.name === 'ConnectionLostError' && failure.reason === 'reset' && sentBytes < totalBytes;
  return isCutShort ? `${words} ${l10n.t('The file may be too large for the service.')}` : words;
}

/** One try to send a file: when, how much of it left, and how it ended. */
export function attemptWords({ beganMs, sentBytes, totalBytes, end }: Attempt): string {
  const time = new Date(beganMs).toLocaleTimeString();
  const left = sentBytes > 0 ? [leftWords(sentBytes, totalBytes)] : [];
  return [`${time} · ${endWords(end)}`, ...left].join(' ');
}

/** How much of a request had left. */
export function leftWords(sentBytes: number, totalBytes: number): string {
  return sentBytes === totalBytes
    ? l10n.t('The whole request had left.')
    : l10n.t('{0} of {1} of the request had left.', sizeWords(sentBytes), sizeWords(totalBytes));
}

/** An import that was accepted before the whole file was sent. */
export function earlyWords(): string {
  return l10n.t('The service responded before the whole file was sent.');
}

/** What is wrong with a file, as a sentence that names it. */
export function sourceWords({ reason, fileName }: Omit<Extract<Failure, { name: 'SourceError' }>, 'detail'>): string {
  switch (reason) {
    case 'missing':
      return l10n.t("'{0}' is no longer there.", fileName);
    case 'unreadable':
      return l10n.t("'{0}' cannot be read. Check its permissions.", fileName);
    case 'folder':
      return l10n.t("'{0}' is not a file.", fileName);
    case 'empty':
      return l10n.t("'{0}' is empty.", fileName);
    case 'binary':
      return l10n.t("'{0}' is not a text file.", fileName);
    case 'changed':
      return l10n.t("'{0}' changed while it was being sent.", fileName);
    case 'changing':
      return l10n.t("'{0}' keeps changing.", fileName);
  }
}

/** What is wrong with a base URL. */
export function baseUrlWords(fault: BaseUrlFault): string {
  switch (fault) {
    case 'empty':
      return l10n.t('Enter the base URL of the service, such as https://import.example.com.');
    case 'notUrl':
      return l10n.t('This is not a URL. It looks like https://import.example.com.');
    case 'scheme':
      return l10n.t('The URL must begin with https://.');
    case 'plainHttp':
      return l10n.t('The URL must begin with https://; plain http would show the Access-Key to the network.');
    case 'userInfo':
      return l10n.t('The URL must not hold a user name or a password.');
    case 'query':
      return l10n.t('The URL must not hold a query (?) or a fragment (#).');
  }
}

/** Why the record of tasks cannot be used. */
export function storeWords({ reason, path }: StoreError): string {
  switch (reason) {
    case 'locked':
      return l10n.t('The record of tasks is locked by another process. Try again in a moment.');
    case 'full':
      return l10n.t(
        "The disk with the record of tasks, '{0}', is full. Nothing is sent until there is room on it.",
        path,
      );
    case 'damaged':
    case 'unusable':
      return l10n.t("The record of tasks, '{0}', cannot be used.", path);
  }
}
