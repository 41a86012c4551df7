import { l10n } from 'vscode';
import type { BaseUrlFault } from '../../service/contract/baseUrl';
import type { DatasetFault } from '../../service/contract/dataset';
import { commandAction, UserError } from '../platform/actions';

/**
 * Explains why an entry in the datasets setting is invalid. VS Code itself underlines the invalid value in
 * settings.json.
 */
export function formatDatasetFault({ dataset, at, reason }: DatasetFault): string {
  if (dataset === '') return l10n.t("The setting 'datasetImport.datasets' must be a list. Correct it first.");
  if (reason === 'sameName')
    return l10n.t("Two datasets in the settings are named '{0}'. The first one is used.", dataset);
  if (reason !== 'invalid')
    return l10n.t("Dataset '{0}' in the settings cannot be used: {1}", dataset, formatBaseUrl(reason));
  return l10n.t("Dataset '{0}' in the settings cannot be used because '{1}' is not valid.", dataset, at || dataset);
}

/** An error that explains the fault and offers to open the settings. */
export function faultError(fault: DatasetFault): UserError {
  return new UserError(formatDatasetFault(fault), [commandAction('openDatasetSettings')]);
}

export function formatBaseUrl(fault: BaseUrlFault): string {
  switch (fault) {
    case 'notUrl':
      return l10n.t('Enter a valid URL, such as https://import.example.com.');
    case 'scheme':
      return l10n.t('The URL must begin with https://. Plain HTTP would expose the access key on the network.');
    case 'userInfo':
      return l10n.t('The URL must not contain a user name or password.');
    case 'query':
      return l10n.t('The URL must not contain a query (?) or fragment (#).');
  }
}
