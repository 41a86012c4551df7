import type { ReceivedPart } from './readForm';
import type { GivenAnswer, ReceivedRequest } from './receivedRequest';
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
    describeAnswer(answer),
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

function describeAnswer(answer: GivenAnswer): string {
  switch (answer.kind) {
    case 'sent':
      return `Answer: HTTP ${answer.status}\n${visibleText(answer.body)}`;
    case 'clientWentAway':
      return 'No answer: the client went away before its request was complete.';
  }
}

function count(number: number, unit: string): string {
  return `${number.toLocaleString('en-US')} ${unit}${number === 1 ? '' : 's'}`;
}
