import { l10n } from 'vscode';
import type { ErrorMeaning, KnownMeaning } from '../../service/contract/contract';
import type { Condition, StateRule } from '../../service/contract/stateRules';
import { pointerNames } from '../../service/json/jsonPointer';
import { isPlaceholder } from '../../service/places/placeholders';
import type { FieldSource, ResponseField } from '../../service/response/recognition';
import { formatClauses } from '../language/formatLists';
import { shortText } from './outsideText';

export function formatField(field: ResponseField): string {
  switch (field) {
    case 'taskId':
      return l10n.t('Task ID');
    case 'status':
      return l10n.t('Status');
    case 'progress':
      return l10n.t('Progress');
    case 'message':
      return l10n.t('Message');
  }
}

/** Where a field was read, and whether the place was chosen or recognized. */
export function formatFieldSource({ pointer, how }: FieldSource): string {
  const place = formatPlace(pointer);
  return how === 'mapped' ? l10n.t('from {0}, as chosen', place) : l10n.t('from {0}, recognized', place);
}

/** A place in a response: its JSON Pointer, or words for the whole of `data`. */
export function formatPlace(pointer: string): string {
  return pointer === '' ? l10n.t('the whole response') : pointer;
}

export function formatMeaning(meaning: KnownMeaning): string {
  switch (meaning) {
    case 'running':
      return l10n.t('Running');
    case 'succeeded':
      return l10n.t('Succeeded');
    case 'failed':
      return l10n.t('Failed');
  }
}

/** A state rule as a sentence. */
export function formatRule({ when, is }: StateRule): string {
  const conditions = formatConditions(Object.entries(when));
  switch (is) {
    case 'running':
      return l10n.t('Running when {0}', conditions);
    case 'succeeded':
      return l10n.t('Succeeded when {0}', conditions);
    case 'failed':
      return l10n.t('Failed when {0}', conditions);
  }
}

/** What it means that an error is there beside what says success, as a sentence. */
export function formatErrorMeaning(error: string, meaning: ErrorMeaning): string {
  const name = shortText(formatName(error));
  return meaning === 'failed'
    ? l10n.t("Failed when success comes with '{0}'", name)
    : l10n.t("Succeeded even when success comes with '{0}'", name);
}

/** Conditions as a clause. */
function formatConditions(conditions: readonly (readonly [pointer: string, Condition])[]): string {
  const names = conditions.map(([pointer]) => formatName(pointer));
  const clauses = conditions.map(([pointer, condition], index) => {
    const name = names[index] ?? pointer;
    return formatCondition(condition, names.filter((other) => other === name).length > 1 ? pointer : name);
  });
  return formatClauses(clauses);
}

/** What must be so of the value with this name, as a clause. */
function formatCondition(condition: Condition, name: string): string {
  const shown = shortText(name);
  if (condition === 'present') return l10n.t("'{0}' is present", shown);
  if (condition === 'absent') return l10n.t("'{0}' is absent", shown);
  if ('equals' in condition) {
    const { equals } = condition;
    return /^(?:true|false|-?\d+)$/.test(equals)
      ? l10n.t("'{0}' is {1}", shown, equals)
      : l10n.t("'{0}' is '{1}'", shown, shortText(equals));
  }
  return 'atLeast' in condition
    ? l10n.t("'{0}' is at least {1}", shown, condition.atLeast)
    : l10n.t("'{0}' is at most {1}", shown, condition.atMost);
}

/** What a value is called: its name, or its whole place where it has none of its own. */
export function formatName(pointer: string): string {
  const name = pointerNames(pointer).at(-1) ?? '';
  return /^\d*$/.test(name) || isPlaceholder(name) ? formatPlace(pointer) : name;
}
