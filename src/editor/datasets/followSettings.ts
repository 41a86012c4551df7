import type { Disposable } from 'vscode';
import { setContextKey } from '../platform/contextKeys';
import type { Messages } from '../platform/messages';
import { commandAction } from '../platform/userError';
import type { Datasets } from './datasets';
import { formatDatasetFault } from './formatFaults';

/** Updates the views' context keys when the datasets change, and warns about invalid entries. */
export function followSettings(datasets: Datasets, messages: Messages): Disposable {
  let lastWarning = '';
  const update = () => {
    void setContextKey('hasDatasets', datasets.all.length > 0);
    void setContextKey('hasNoDatasets', datasets.all.length === 0);
    const [fault] = datasets.faults;
    const warning = fault === undefined ? '' : formatDatasetFault(fault);
    if (warning !== '' && warning !== lastWarning) {
      void messages.warn(warning, commandAction('openDatasetSettings'));
    }
    lastWarning = warning;
  };
  update();
  return datasets.onDidChange(update);
}
