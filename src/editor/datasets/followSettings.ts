import { Disposable, l10n } from 'vscode';
import { setContextKey } from '../platform/contextKeys';
import type { Messages } from '../platform/messages';
import { fileExtensions, onSettingChange, openDatasetsSetting } from '../platform/settings';
import type { Datasets } from './datasets';
import { formatDatasetFault } from './formatFaults';

/** Keeps the menus in step with the settings, and says so when an entry of them cannot be used. */
export function followSettings(datasets: Datasets, messages: Messages): Disposable {
  let told = '';
  const follow = () => {
    void setContextKey('fileExtensions', inEitherCase(fileExtensions()));
    void setContextKey('hasDatasets', datasets.all.length > 0);
    void setContextKey('hasNoDatasets', datasets.all.length === 0);
    const words = datasets.faults.map(formatDatasetFault).join(' ');
    if (words !== '' && words !== told) {
      void messages.warn(words, { label: l10n.t('Open Settings'), run: openDatasetsSetting });
    }
    told = words;
  };
  follow();
  return Disposable.from(onSettingChange('fileExtensions', follow), datasets.onDidChange(follow));
}

/** A menu compares endings to the letter. */
function inEitherCase(endings: readonly string[]): string[] {
  return [...new Set(endings.flatMap((ending) => [ending.toLowerCase(), ending.toUpperCase()]))];
}
