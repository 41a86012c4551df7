import type { ReceivedPart } from './readForm';
import type { ReceivedRequest } from './receivedRequest';
import type { Reply, WrittenAnswer } from './reply';
import { visibleText } from './visibleText';

/** The requests as readable text, one after another, in the shape of an .http file: what came, and what was answered. */
export function describeRequests(requests: readonly ReceivedRequest[]): string {
  return requests.map((request, index) => `### ${index + 1}, ${describe(request)}`).join('\n');
}

function describe({ receivedAt, method, target, httpVersion, headers, body, parts, answer }: ReceivedRequest): string {
  const lines = [
    `${new Date(receivedAt).toISOString()}\n`,
    `${method} ${visibleText(target)} HTTP/${httpVersion}`,
    ...headers.map(([name, value]) => `${name}: ${visibleText(value)}`),
    '',
    ...describeBody(body),
    ...parts.flatMap(describePart),
    ...describeReply(answer),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

function describeBody({ bytes, start, cut }: ReceivedRequest['body']): string[] {
  if (bytes === 0) return [];
  return [visibleText(start), ...(cut ? [`[this is the beginning of ${count(bytes, 'byte')}]`] : []), ''];
}

function describePart({ name = '', fileName, mediaType, bytes, lines, sha256, firstLines }: ReceivedPart): string[] {
  const file = fileName === undefined ? '' : `file name "${visibleText(fileName)}", `;
  const size = `${count(bytes, 'byte')}, ${count(lines, 'line')}, SHA-256 ${sha256}`;
  const shown = visibleText(firstLines).split('\n');
  return [
    `Part "${visibleText(name)}": ${file}${visibleText(mediaType)}, ${size}`,
    ...shown.map((line) => `  | ${line}`),
    '',
  ];
}

function describeReply(reply: Reply): string[] {
  switch (reply.kind) {
    case 'sent':
      return [`Answer: HTTP ${reply.status}`, ...describeAnswer(reply)];
    case 'sentSlowly':
      return [`Answer, sent a few bytes at a time: HTTP ${reply.status}`, ...describeAnswer(reply)];
    case 'cutShort':
      return [
        `Answer, cut short: HTTP ${reply.status}`,
        ...describeAnswer(reply),
        `[this is the beginning of ${count(reply.wholeBytes, 'byte')}; the rest was not sent]`,
      ];
    case 'lost':
      return [
        `Answer, lost: the request was carried out, and the connection reset instead of HTTP ${reply.status}`,
        ...describeAnswer(reply),
      ];
    case 'reset':
      return [`No answer: the connection was reset after reading ${describeShare(reply)} of the body.`];
    case 'clientWentAway':
      return ['No answer: the client went away before its request was complete.'];
  }
}

function describeAnswer({ headers, body }: WrittenAnswer): string[] {
  return [...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', visibleText(body)];
}

function describeShare({ readBytes, wholeBytes }: Extract<Reply, { kind: 'reset' }>): string {
  if (wholeBytes === undefined) return count(readBytes, 'byte');
  return `${readBytes.toLocaleString('en-US')} of ${count(wholeBytes, 'byte')}`;
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en-US')} ${unit}${number === 1 ? '' : 's'}`;
}
