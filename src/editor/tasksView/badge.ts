import { l10n, type TreeView } from 'vscode';
import type { DestinationRow, Group } from '../../tasks/store/model';
import { formatCount } from '../platform/formatNumbers';
import { countIn } from '../wording/states';

/**
 * Shows in the badge of the view how many rows need the user, by the problems of each destination. Those of a sandbox that
 * has stopped need nobody.
 */
export function showBadge(
  view: Pick<TreeView<unknown>, 'badge'>,
  problems: readonly Group[],
  destinations: readonly DestinationRow[],
  isStoppedSandbox: (destination: DestinationRow) => boolean,
): void {
  const stopped = new Set(destinations.filter(isStoppedSandbox).map(({ id }) => id));
  const counted = problems.filter(({ value }) => !stopped.has(Number(value)));
  const value = counted.reduce((sum, { counts }) => sum + countIn(counts), 0);
  if (value === (view.badge?.value ?? 0)) return;
  view.badge = value === 0 ? undefined : { value, tooltip: l10n.t('Needing your attention: {0}', formatCount(value)) };
}
