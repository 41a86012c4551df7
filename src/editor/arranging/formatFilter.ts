import { l10n } from 'vscode';
import type { TaskFilter } from '../../tasks/history/taskFilter';
import { PROBLEMS } from '../../tasks/rows/listedFacts';
import { formatAnyState } from '../rows/formatState';

/** Which tasks a filter lets through, in a few words. */
export function formatFilter({ states, dataset, text }: TaskFilter): string {
  const parts = [
    ...(states === undefined ? [] : [formatStates(states)]),
    ...(dataset === undefined ? [] : [dataset]),
    ...(text === undefined ? [] : [`'${text}'`]),
  ];
  return l10n.t('Filter: {0}', parts.join(', '));
}

function formatStates(states: NonNullable<TaskFilter['states']>): string {
  const isProblems = states.length === PROBLEMS.length && PROBLEMS.every((problem) => states.includes(problem));
  return isProblems ? l10n.t('problems') : states.map(formatAnyState).join(', ');
}
