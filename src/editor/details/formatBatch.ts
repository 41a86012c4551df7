import { l10n } from 'vscode';
import type { BatchSummary } from '../../tasks/history/batchSummary';
import type { BatchRun } from '../../tasks/rows/runs';
import { formatCount, formatDateTime, formatSize } from '../platform/formatNumbers';
import { oneLine } from '../platform/outsideText';
import { stateCounts, sumOf } from '../rows/batchItem';
import type { NextCommand } from '../rows/nextCommands';
import { alignedLines, section } from './formatDetails';
import type { Row } from './formatTimeline';
import { nextStepLines } from './nextSteps';

/** Max runs shown. */
const SHOWN_RUNS = 50;

/** All that is known of a batch: how its files stand, what can be done, and when it was imported with what result. */
export function formatBatch(summary: BatchSummary, runs: readonly BatchRun[], next: readonly NextCommand[]): string {
  const { batch, counts } = summary;
  const blocks = [
    [batch.label, stateCounts(counts).join(' · ')].map(oneLine),
    nextStepLines(next),
    section(l10n.t('Imports'), [...alignedLines(runs.slice(0, SHOWN_RUNS).map(runRow)), ...older(runs)]),
    section(l10n.t('Files'), alignedLines(batchRows(summary))),
  ];
  const shown = blocks.filter(({ length }) => length > 0).map((lines) => lines.join('\n'));
  return `${shown.join('\n\n')}\n`;
}

function runRow({ beganMs, counts }: BatchRun): Row {
  const total = sumOf(counts);
  const files = total === 1 ? l10n.t('1 file') : l10n.t('{0} files', formatCount(total));
  return [formatDateTime(beganMs), [files, ...stateCounts(counts)].join(' · ')];
}

function older({ length }: readonly BatchRun[]): string[] {
  return length > SHOWN_RUNS ? [l10n.t('… and {0} more', formatCount(length - SHOWN_RUNS))] : [];
}

function batchRows({ batch, first, counts, sizeBytes }: BatchSummary): Row[] {
  return [
    [l10n.t('Dataset'), first.dataset],
    ...(batch.folder === undefined ? [] : [[l10n.t('Folder'), batch.folder] as const]),
    [l10n.t('Files'), formatCount(sumOf(counts))],
    [l10n.t('Size'), formatSize(sizeBytes)],
  ];
}
