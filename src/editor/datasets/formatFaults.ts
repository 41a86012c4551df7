import { l10n } from 'vscode';
import type { BaseUrlFault } from '../../service/contract/baseUrl';
import type { DatasetFault } from '../../service/contract/dataset';
import { ID_PLACE_PLACEHOLDERS, PLACE_PLACEHOLDERS } from '../../service/contract/placeholders';
import type { ValueFault } from '../../service/contract/settingSchema';
import { FILE_PLACEHOLDERS, QUERY_PLACEHOLDERS } from '../../service/contract/template';
import { formatList, formatSentences } from '../language/formatLists';

/** Max mistakes named in one message. */
const MAX_NAMED = 3;

/** What is wrong with the datasets setting, in one message: the first mistakes, and how many more there are. */
export function formatDatasetFaults(faults: readonly DatasetFault[]): string {
  const more = faults.length - MAX_NAMED;
  // One more takes no more room than its count.
  const sentences = (more > 1 ? faults.slice(0, MAX_NAMED) : faults).map(formatDatasetFault);
  return formatSentences(more > 1 ? [...sentences, l10n.t('And {0} more mistakes.', more)] : sentences);
}

/** What is wrong with an entry of the datasets setting. */
export function formatDatasetFault({ dataset, fault }: DatasetFault): string {
  const what = formatFault(dataset, fault);
  if (fault.kind === 'sameName')
    return l10n.t("Two datasets in the settings are named '{0}'. The first one is used.", dataset);
  return dataset === ''
    ? l10n.t("The setting 'datasetImport.datasets' cannot be used. {0}", what)
    : l10n.t("Dataset '{0}' in the settings cannot be used: {1}", dataset, what);
}

function formatFault(dataset: string, fault: DatasetFault['fault']): string {
  switch (fault.kind) {
    case 'value':
      return formatValueFault(fault.what, fault.at, fault.position);
    case 'baseUrl':
      return formatBaseUrl(fault.fault);
    case 'sameName':
      return l10n.t("A dataset named '{0}' already exists.", dataset);
    case 'reservedName':
      return l10n.t("The name '{0}' is reserved for the sandbox.", dataset);
  }
}

/** What is wrong with a value. The subject of the sentence is its place, or "It" for an empty place. */
export function formatValueFault(fault: ValueFault, place = '', position = 1): string {
  if (place !== '') return formatFaultOf(place, fault, position);
  const it = l10n.t({
    message: 'It',
    comment: ['The subject of a sentence such as "It is not a string.": a value or an entry'],
  });
  // Chinese has spaces beside places, and none between its own words.
  return formatFaultOf(it, fault, position).replace(/(\p{Script=Han}) (?=\p{Script=Han})/u, '$1');
}

function formatFaultOf(subject: string, fault: ValueFault, position: number): string {
  switch (fault) {
    case 'missing':
      return l10n.t('{0} is missing.', subject);
    case 'unknown':
      return l10n.t('{0} is not a known property.', subject);
    case 'empty':
      return l10n.t('{0} must not be empty.', subject);
    case 'notObject':
      return l10n.t('{0} must be an object.', subject);
    case 'notList':
      return l10n.t('{0} must be a list.', subject);
    case 'notText':
      return l10n.t('{0} must be a string.', subject);
    case 'notBoolean':
      return l10n.t('{0} must be true or false.', subject);
    case 'notJson':
      return l10n.t('{0} must be JSON.', subject);
    case 'notPointer':
      return l10n.t('{0} must be a JSON Pointer such as /taskId.', subject);
    case 'notExpression':
      return l10n.t('{0} is not a valid JMESPath expression: mistake at character {1}.', subject, position);
    case 'notPath':
      return l10n.t('{0} must be a path that begins with / and has no spaces and no #.', subject);
    case 'notHeaderName':
      return l10n.t('{0} must be a valid header name.', subject);
    case 'fixedHeader':
      return l10n.t('{0} is a header that cannot be changed.', subject);
    case 'notHeaderValue':
      return l10n.t('{0} contains characters that are not allowed in a header.', subject);
    case 'notMeaning':
      return l10n.t('{0} must be one of {1}.', subject, '"running", "succeeded", "failed"');
    case 'notMediaType':
      return l10n.t('{0} must be a media type such as text/plain, with or without parameters.', subject);
    case 'notEncoding':
      return l10n.t('{0} must be one of {1}.', subject, '"utf8", "percent", "both"');
    case 'endsWithBackslash':
      return l10n.t('{0} must not end with a backslash.', subject);
    case 'unknownFieldPlaceholder':
      return unknownPlaceholder(subject, FILE_PLACEHOLDERS);
    case 'unknownQueryPlaceholder':
      return unknownPlaceholder(subject, QUERY_PLACEHOLDERS);
    case 'unknownIdPlaceholder':
      return unknownPlaceholder(subject, ID_PLACE_PLACEHOLDERS);
    case 'unknownPlacePlaceholder':
      return unknownPlaceholder(subject, PLACE_PLACEHOLDERS);
  }
}

function unknownPlaceholder(subject: string, known: readonly string[]): string {
  const names = formatList(known.map((name) => `\${${name}}`));
  return l10n.t('{0} contains an unknown placeholder. Known ones are {1}.', subject, names);
}

export function formatBaseUrl(fault: BaseUrlFault): string {
  switch (fault) {
    case 'empty':
      return l10n.t('Enter a base URL, such as https://import.example.com.');
    case 'notUrl':
      return l10n.t('Enter a valid URL, such as https://import.example.com.');
    case 'scheme':
      return l10n.t('The URL must begin with https://.');
    case 'plainHttp':
      return l10n.t('The URL must begin with https://. Plain HTTP would expose the access key on the network.');
    case 'userInfo':
      return l10n.t('The URL must not contain a user name or password.');
    case 'query':
      return l10n.t('The URL must not contain a query (?) or fragment (#).');
  }
}
