import { DocumentLink, l10n, Range, type TextDocument, Uri } from 'vscode';
import { formatNext, type NextCommand } from '../tree/rows/nextCommands';
import type { TaskNode } from '../tree/rows/tasksNode';

const BETWEEN = ' · ';

/** The line that names the next steps; none where there are none. */
export function nextStepLines(commands: readonly NextCommand[]): string[] {
  return commands.length === 0 ? [] : [l10n.t('Next: {0}', commands.map(formatNext).join(BETWEEN))];
}

/** The links on that line, which run the commands; none where the document is older and names others. */
export function nextStepLinks(document: TextDocument, commands: readonly NextCommand[], key: number): DocumentLink[] {
  const [wanted] = nextStepLines(commands);
  const lines = document.getText().split('\n');
  const line = wanted === undefined ? -1 : lines.indexOf(wanted);
  if (wanted === undefined || line === -1) return [];
  let end = wanted.length;
  // From the end: what the line begins with is up to its translation.
  return commands.toReversed().map((command) => {
    const start = wanted.lastIndexOf(formatNext(command), end);
    end = start - BETWEEN.length;
    return linkTo(command, key, new Range(line, start, line, start + formatNext(command).length));
  });
}

function linkTo(command: NextCommand, key: number, range: Range): DocumentLink {
  const target: TaskNode = { taskKey: key };
  const given = encodeURIComponent(JSON.stringify([target]));
  const link = new DocumentLink(range, Uri.parse(`command:datasetImport.${command}?${given}`));
  link.tooltip = formatNext(command);
  return link;
}
