import { STATUS_CODES } from 'node:http';
import { l10n } from 'vscode';
import type { SandboxRecord } from '../../sandbox/sandbox';
import { formatCount, formatTime } from '../platform/formatNumbers';
import { visibleText } from '../platform/outsideText';

type Received = Extract<SandboxRecord, { kind: 'request' }>;
type Delivery = Extract<SandboxRecord, { kind: 'delivery' }>;
type Part = Received['parts'][number];
type Reply = Received['response'];
type SandboxResponse = Extract<Reply, { body: string }>;

/**
 * The requests to the sandbox and its webhook deliveries, newest first, as they were on the wire. What was not there
 * stands in lines that begin with #, as in an .http file.
 */
export function describeRequests(records: readonly SandboxRecord[]): string {
  const count = records.at(-1)?.number ?? 0;
  if (count === 0) return `# ${l10n.t('The sandbox has not received any requests yet.')}\n`;
  const heading =
    count === 1
      ? l10n.t('1 request')
      : l10n.t('Last {0} of {1} requests, newest first', formatCount(records.length), formatCount(count));
  return [`# ${heading}\n`, ...records.toReversed().map(describe)].join('\n');
}

function describe(record: SandboxRecord): string {
  const lines = record.kind === 'request' ? describeReceived(record) : describeDelivery(record);
  return [...lines, ''].map((line) => `${line}\n`).join('');
}

function describeReceived(request: Received): string[] {
  return [
    `### ${request.number} · ${formatTime(request.receivedAt)}`,
    '',
    `${request.method} ${visibleText(request.target)} HTTP/${request.httpVersion}`,
    ...request.headers.map(([name, value]) => `${name}: ${visibleText(value)}`),
    '',
    ...(request.parts.length > 0 ? request.parts.flatMap(describePart) : describeBody(request.body)),
    ...describeReply(request.response),
  ];
}

function describeDelivery({ number, sentAt, url, headers, body, outcome }: Delivery): string[] {
  return [
    `### ${number} · ${formatTime(sentAt)} · ${l10n.t('Webhook delivery')}`,
    '',
    `POST ${url} HTTP/1.1`,
    ...describeHeaders(headers),
    '',
    visibleText(body),
    '',
    outcome.kind === 'responded'
      ? statusLine(outcome.status)
      : `# ${l10n.t('The delivery failed: {0}', visibleText(outcome.reason))}`,
  ];
}

function describeBody({ bytes, start, cut }: Received['body']): string[] {
  if (bytes === 0) return [];
  const rest = cut ? [`# ${l10n.t('This is the beginning of {0}.', byteCount(bytes))}`] : [];
  return [visibleText(start), ...rest, ''];
}

function describePart({ name = '', fileName, mediaType, bytes, lines, sha256, firstLines }: Part): string[] {
  const head =
    fileName === undefined
      ? l10n.t("Form part '{0}'", visibleText(name))
      : l10n.t("Form part '{0}' with file '{1}'", visibleText(name), visibleText(fileName));
  const facts = [visibleText(mediaType), byteCount(bytes), lineCount(lines), `SHA-256 ${sha256}`].join(' · ');
  const shown = visibleText(firstLines).split('\n');
  return [`# ${head}`, `# ${facts}`, ...shown.map((line) => `  | ${line}`), ''];
}

function describeReply(reply: Reply): string[] {
  switch (reply.kind) {
    case 'sent':
      return describeResponse(reply);
    case 'cutShort':
      return [
        ...describeResponse(reply),
        `# ${l10n.t('This is the beginning of {0}. The rest was not sent.', byteCount(reply.wholeBytes))}`,
      ];
    case 'lost':
      return [
        `# ${l10n.t('The request was carried out. The connection was reset instead of sending this response.')}`,
        ...describeResponse(reply),
      ];
    case 'reset':
      return [`# ${describeReset(reply)}`];
    case 'clientWentAway':
      return [`# ${l10n.t('There is no response. The client disconnected before its request was complete.')}`];
  }
}

function describeResponse({ status, headers, body }: SandboxResponse): string[] {
  return [statusLine(status), ...describeHeaders(headers), '', visibleText(body)];
}

function describeHeaders(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function statusLine(status: number): string {
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
}

function describeReset({ readBytes, wholeBytes }: Extract<Reply, { kind: 'reset' }>): string {
  return wholeBytes === undefined
    ? l10n.t('There is no response. The connection was reset after reading {0} of the body.', byteCount(readBytes))
    : l10n.t(
        'There is no response. The connection was reset after reading {0} of {1} of the body.',
        formatCount(readBytes),
        byteCount(wholeBytes),
      );
}

function byteCount(bytes: number): string {
  return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', formatCount(bytes));
}

function lineCount(lines: number): string {
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', formatCount(lines));
}
