import { Disposable, l10n, StatusBarAlignment, window } from 'vscode';
import { whyNotAsked } from '../../tasks/serving/whyNotAsked';
import { formatCount } from '../platform/formatNumbers';
import type { Services } from '../services/services';
import { afterChanges } from './afterChanges';

/** Time between two updates. */
const PAUSE_MS = 500;

/** Shows in the status bar how many tasks are running at their services. */
export function showRunning(
  services: Pick<Services, 'list' | 'datasets' | 'keys' | 'sandbox'>,
  onError: (error: unknown) => void,
): Disposable {
  // Right of the progress of imports, which has 3 and 2.
  const item = window.createStatusBarItem('running', StatusBarAlignment.Left, 1);
  item.name = l10n.t('Dataset Import: Running Tasks');
  item.command = 'datasetImport.tasks.focus';
  const update = async () => {
    const checked = [...services.list.destinations.values()].filter((one) => whyNotAsked(services, one) === undefined);
    const count = checked.reduce((sum, { running }) => sum + running, 0);
    if (count === 0) return item.hide();
    const label =
      count === 1
        ? l10n.t('Dataset Import: 1 task is running. Show the tasks.')
        : l10n.t('Dataset Import: {0} tasks are running. Show the tasks.', formatCount(count));
    const text = count === 1 ? l10n.t('1 task running') : l10n.t('{0} tasks running', formatCount(count));
    item.text = `$(sync) ${text}`;
    item.tooltip = label;
    item.accessibilityInformation = { label };
    item.show();
  };
  const updating = afterChanges(services.list, () => PAUSE_MS, update, onError);
  updating.soon();
  return Disposable.from(updating, item);
}
