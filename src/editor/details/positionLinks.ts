import { DocumentLink, l10n, Range, type TextDocument, Uri } from 'vscode';
import { reportsOf } from '../../tasks/severalTasks';
import type { TrackedTask } from '../../tasks/trackedTask';
import { refusalWords } from '../platform/formatOutcome';
import { oneLine, shortText } from '../platform/outsideText';
import type { FilePosition } from '../taskItems/tasksNode';
import { namedPositions } from './namedPositions';

/** Max links to positions in the details of a task. */
const MAX_LINKS = 100;

/**
 * The links on the positions that the service names as the reason why it failed or rejected a file on disk. The service
 * gives no more of a link than its numbers.
 */
export function positionLinks(document: TextDocument, task: TrackedTask): DocumentLink[] {
  if (task.source?.from !== 'disk') return [];
  const reasons = reasonsOf(task).map(oneLine);
  const links = document
    .getText()
    .split('\n')
    .flatMap((text, line) => {
      const named = namedPositions(text);
      if (named.length === 0) return [];
      // Other texts of the line, such as the cause of a failed status check, say nothing of the file.
      const shown = reasons.map((reason) => ({ start: text.indexOf(reason), length: reason.length }));
      return named
        .filter(({ start, end }) =>
          shown.some((reason) => reason.start !== -1 && start >= reason.start && end <= reason.start + reason.length),
        )
        .map(({ position, start, end }) => linkTo(position, task, new Range(line, start, line, end)));
    });
  return links.slice(0, MAX_LINKS);
}

/** Why the service failed or rejected the file, in its own words, cut as they are where they are shown. */
function reasonsOf(task: TrackedTask): string[] {
  const { phase } = task;
  if (phase.kind === 'rejected') return [shortText(refusalWords(phase.refusal))];
  return reportsOf(task).flatMap(({ meaning, message }) => (meaning === 'failed' ? (message ?? []) : []));
}

function linkTo(position: FilePosition, { key }: TrackedTask, range: Range): DocumentLink {
  const given = encodeURIComponent(JSON.stringify([{ taskKey: key, ...position }]));
  const link = new DocumentLink(range, Uri.parse(`command:datasetImport.openSourceFile?${given}`));
  link.tooltip = formatOpenAt(position);
  return link;
}

function formatOpenAt(position: FilePosition): string {
  if ('offset' in position) return l10n.t('Open File at Offset {0}', position.offset);
  const { line, column } = position;
  return column === undefined
    ? l10n.t('Open File at Line {0}', line)
    : l10n.t('Open File at Line {0}, Column {1}', line, column);
}
