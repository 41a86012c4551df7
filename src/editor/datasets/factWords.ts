import { l10n } from 'vscode';
import type { StatusMeaning } from '../../service/contract/contract';
import type { Fact, FactSource } from '../../service/response/recognition';

/** A fact of an answer, as people call it. */
export function factWords(fact: Fact): string {
  switch (fact) {
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

/** Where a fact was read, and why there. */
export function sourceOfFactWords({ pointer, how }: FactSource): string {
  return how === 'mapped' ? l10n.t('from {0}, as chosen', pointer) : l10n.t('from {0}, recognised', pointer);
}

/** What a status means, as people call it. */
export function meaningWords(meaning: Exclude<StatusMeaning, 'unknown'>): string {
  switch (meaning) {
    case 'running':
      return l10n.t('Running');
    case 'succeeded':
      return l10n.t('Succeeded');
    case 'failed':
      return l10n.t('Failed');
  }
}
