import { CodeLens, type Command, l10n, Range, type TextDocument } from 'vscode';
import { formatNext, type NextCommand } from '../rows/nextCommands';
import { formatImportTitle, formatLastTitle } from './formatDetails';

/** What can be done with a task next, as commands that are run with its row. */
export function nextSteps(steps: readonly NextCommand[], taskKey: number): Command[] {
  return steps.map((step) => commandOf(step, formatNext(step), { taskKey }));
}

/** The same as links below the header of the task's details, which one click runs, and one to each response as a document. */
export function stepLenses(document: TextDocument, steps: readonly Command[], taskKey: number): CodeLens[] {
  const lines = document.getText().split('\n');
  const at = (line: number) => new Range(line, 0, line, 0);
  // No text from outside is an empty line, or stands at the beginning of one below it.
  const end = lines.indexOf('');
  const open = (line: number, response: 'import' | 'last') => {
    const title = l10n.t('Open as Document');
    return line < end ? [] : [new CodeLens(at(line), commandOf('showLastResponse', title, { taskKey, response }))];
  };
  return [
    ...steps.map((step) => new CodeLens(at(end), step)),
    ...open(lines.indexOf(formatImportTitle()), 'import'),
    ...open(Math.max(...formatLastTitle().map((title) => lines.indexOf(title))), 'last'),
  ];
}

function commandOf(step: NextCommand, title: string, target: object): Command {
  return { command: `datasetImport.${step}`, title, arguments: [target] };
}
