import { l10n } from 'vscode';
import type { BaseUrlFault } from '../../service/contract/baseUrl';
import type { DatasetFault } from '../../service/contract/dataset';
import type { ValueFault } from '../../service/contract/valueFault';

/** What is wrong with an entry of the datasets setting. */
export function formatDatasetFault({ dataset, fault }: DatasetFault): string {
  switch (fault.kind) {
    case 'shape':
      return dataset === ''
        ? l10n.t("The setting 'datasetImport.datasets' cannot be used. {0}", formatValueFault(fault.what))
        : l10n.t("Dataset '{0}' in the settings cannot be used: {1}", dataset, formatValueFault(fault.what, fault.at));
    case 'contract':
      return l10n.t(
        "Dataset '{0}' in the settings: {1} The default is used instead.",
        dataset,
        formatValueFault(fault.what, fault.at),
      );
    case 'baseUrl':
      return l10n.t("Dataset '{0}' in the settings cannot be used: {1}", dataset, formatBaseUrl(fault.fault));
    case 'sameName':
      return l10n.t("Two datasets in the settings are called '{0}'; the first one is used.", dataset);
    case 'reservedName':
      return l10n.t("Dataset '{0}' in the settings cannot be used: the name is kept for the sandbox.", dataset);
  }
}

/** What is wrong with a dataset definition that was copied from elsewhere. */
export function formatDefinitionFault({ dataset, fault }: DatasetFault): string {
  switch (fault.kind) {
    case 'shape':
    case 'contract':
      return l10n.t(
        "The definition of dataset '{0}' in the clipboard cannot be used: {1}",
        dataset,
        formatValueFault(fault.what, fault.at),
      );
    case 'baseUrl':
      return l10n.t(
        "The definition of dataset '{0}' in the clipboard cannot be used. {1}",
        dataset,
        formatBaseUrl(fault.fault),
      );
    case 'sameName':
      return l10n.t("There is already a dataset '{0}'.", dataset);
    case 'reservedName':
      return l10n.t("The name '{0}' is kept for the sandbox.", dataset);
  }
}

/** What is wrong with a value. The subject of the sentence is its place, or "It" for an empty place. */
export function formatValueFault(fault: ValueFault, place = ''): string {
  const subject =
    place === ''
      ? l10n.t({
          message: 'It',
          comment: ['The subject of a sentence such as "It is not a text.": a value or an entry'],
        })
      : place;
  switch (fault.kind) {
    case 'missing':
      return l10n.t('{0} is missing.', subject);
    case 'unknown':
      return l10n.t('{0} is not known.', subject);
    case 'empty':
      return l10n.t('{0} is empty.', subject);
    case 'notObject':
      return l10n.t('{0} is not an object.', subject);
    case 'list':
      return l10n.t('{0} is a list.', subject);
    case 'notList':
      return l10n.t('{0} is not a list.', subject);
    case 'notText':
      return l10n.t('{0} is not a text.', subject);
    case 'notBoolean':
      return l10n.t('{0} is neither true nor false.', subject);
    case 'notJson':
      return l10n.t('{0} is not JSON.', subject);
    case 'notPointer':
      return l10n.t('{0} is not a JSON Pointer such as /taskId.', subject);
    case 'notCondition':
      return l10n.t('{0} is not a condition such as "present", "absent", "done" or { "atLeast": 10 }.', subject);
    case 'notPath':
      return l10n.t('{0} is not a path that begins with /.', subject);
    case 'hashInPath':
      return l10n.t('{0} has a # in it.', subject);
    case 'notHeaderName':
      return l10n.t('{0} is not a header name.', subject);
    case 'fixedHeader':
      return l10n.t('{0} is a header that cannot be changed.', subject);
    case 'notHeaderValue':
      return l10n.t('{0} has characters that a header cannot carry.', subject);
    case 'notOneOf':
      return l10n.t('{0} is none of {1}.', subject, fault.known.map((name) => `"${name}"`).join(', '));
    case 'unknownPlaceholder': {
      const known = fault.known.map((name) => `\${${name}}`).join(', ');
      return l10n.t('{0} has a placeholder other than {1}.', subject, known);
    }
  }
}

export function formatBaseUrl(fault: BaseUrlFault): string {
  switch (fault) {
    case 'empty':
      return l10n.t('Enter the base URL of the service, such as https://import.example.com.');
    case 'notUrl':
      return l10n.t('This is not a URL. It looks like https://import.example.com.');
    case 'scheme':
      return l10n.t('The URL must begin with https://.');
    case 'plainHttp':
      return l10n.t('The URL must begin with https://; plain http would show the Access-Key to the network.');
    case 'userInfo':
      return l10n.t('The URL must not hold a user name or a password.');
    case 'query':
      return l10n.t('The URL must not hold a query (?) or a fragment (#).');
  }
}
