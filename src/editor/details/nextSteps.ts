import { DocumentLink, Range, type TextDocument, Uri } from 'vscode';
import { formatNext, type NextCommand } from '../rows/nextCommands';
import type { TasksNode } from '../rows/tasksNode';

/** The lines that name the next steps. */
export function nextStepLines(commands: readonly NextCommand[]): string[] {
  return commands.map((command) => `→ ${formatNext(command)}`);
}

/** The links on these lines, which run the commands; none where the document is older and names others. */
export function nextStepLinks(
  document: TextDocument,
  commands: readonly NextCommand[],
  row: TasksNode,
): DocumentLink[] {
  const lines = document.getText().split('\n');
  // No text from outside is an empty line, so that they stand where they were put.
  const first = lines.indexOf('') + 1;
  const wanted = nextStepLines(commands);
  if (!wanted.every((line, index) => lines[first + index] === line)) return [];
  return commands.map((command, index) => {
    const line = first + index;
    return linkTo(command, row, new Range(line, 0, line, wanted[index]?.length ?? 0));
  });
}

function linkTo(command: NextCommand, row: TasksNode, range: Range): DocumentLink {
  const given = encodeURIComponent(JSON.stringify([row]));
  const link = new DocumentLink(range, Uri.parse(`command:datasetImport.${command}?${given}`));
  link.tooltip = formatNext(command);
  return link;
}
