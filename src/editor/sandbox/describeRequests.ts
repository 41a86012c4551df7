import { env, l10n } from 'vscode';
import type { ReceivedRequest } from '../../sandbox/sandbox';
import { visibleText } from '../platform/outsideText';

type Part = ReceivedRequest['parts'][number];
type Reply = ReceivedRequest['response'];
type SandboxResponse = Extract<Reply, { body: string }>;

/** The requests to the sandbox and their responses, as text in the format of an .http file. */
export function describeRequests(requests: readonly ReceivedRequest[]): string {
  return requests.map((request, index) => `### ${index + 1}, ${describe(request)}`).join('\n');
}

function describe(request: ReceivedRequest): string {
  const lines = [
    `${new Date(request.receivedAt).toISOString()}\n`,
    `${request.method} ${visibleText(request.target)} HTTP/${request.httpVersion}`,
    ...request.headers.map(([name, value]) => `${name}: ${visibleText(value)}`),
    '',
    ...describeBody(request.body),
    ...request.parts.flatMap(describePart),
    ...describeReply(request.response),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function describeBody({ bytes, start, cut }: ReceivedRequest['body']): string[] {
  if (bytes === 0) return [];
  return [visibleText(start), ...(cut ? [l10n.t('[this is the beginning of {0}]', byteCount(bytes))] : []), ''];
}

function describePart({ name = '', fileName, mediaType, bytes, lines, sha256, firstLines }: Part): string[] {
  const facts = [visibleText(mediaType), byteCount(bytes), lineCount(lines), sha256];
  const head =
    fileName === undefined
      ? l10n.t('Part "{0}": {1}, {2}, {3}, SHA-256 {4}', visibleText(name), ...facts)
      : l10n.t(
          'Part "{0}": file name "{1}", {2}, {3}, {4}, SHA-256 {5}',
          visibleText(name),
          visibleText(fileName),
          ...facts,
        );
  const shown = visibleText(firstLines).split('\n');
  return [head, ...shown.map((line) => `  | ${line}`), ''];
}

function describeReply(reply: Reply): string[] {
  switch (reply.kind) {
    case 'sent':
      return [l10n.t('Answer: HTTP {0}', reply.status), ...describeResponse(reply)];
    case 'sentSlowly':
      return [l10n.t('Answer, sent a few bytes at a time: HTTP {0}', reply.status), ...describeResponse(reply)];
    case 'cutShort':
      return [
        l10n.t('Answer, cut short: HTTP {0}', reply.status),
        ...describeResponse(reply),
        l10n.t('[this is the beginning of {0}; the rest was not sent]', byteCount(reply.wholeBytes)),
      ];
    case 'lost':
      return [
        l10n.t('Answer, lost: the request was carried out, and the connection reset instead of HTTP {0}', reply.status),
        ...describeResponse(reply),
      ];
    case 'reset':
      return [describeReset(reply)];
    case 'clientWentAway':
      return [l10n.t('No answer: the client went away before its request was complete.')];
  }
}

function describeResponse({ headers, body }: SandboxResponse): string[] {
  return [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', visibleText(body)];
}

function describeReset({ readBytes, wholeBytes }: Extract<Reply, { kind: 'reset' }>): string {
  return wholeBytes === undefined
    ? l10n.t('No answer: the connection was reset after reading {0} of the body.', byteCount(readBytes))
    : l10n.t(
        'No answer: the connection was reset after reading {0} of {1} of the body.',
        grouped(readBytes),
        byteCount(wholeBytes),
      );
}

function byteCount(bytes: number): string {
  return bytes === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', grouped(bytes));
}

function lineCount(lines: number): string {
  return lines === 1 ? l10n.t('1 line') : l10n.t('{0} lines', grouped(lines));
}

function grouped(number: number): string {
  return number.toLocaleString(env.language);
}
