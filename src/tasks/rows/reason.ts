import { type Failure, type KeptRefusal, type TrackedTask, taskState } from '../trackedTask';

/** Max characters of a reason. */
const MAX_LENGTH = 300;
/** Min characters of a name that is left out of it: a shorter one is as likely a word of the reason. */
const MIN_NAME = 4;

/**
 * What tasks have in common that need a person for the same reason: the state, and the words that say why without numbers,
 * what is quoted, and the name of the file. For comparison, not for people.
 */
export function reasonOf(task: Pick<TrackedTask, 'phase' | 'taskId' | 'lastQueryError' | 'source'>): string {
  const { name = '', path = '', relativePath = '' } = task.source ?? {};
  const names = [path, relativePath, name].filter(({ length }) => length >= MIN_NAME);
  return names
    .reduce((words, its) => words.replaceAll(its, '*'), wordsOf(task).slice(0, MAX_LENGTH))
    .replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|“[^”]*”/g, '*')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ');
}

function wordsOf(task: Pick<TrackedTask, 'phase' | 'taskId' | 'lastQueryError'>): string {
  const { phase, lastQueryError } = task;
  const state = taskState(task);
  switch (phase.kind) {
    case 'notSent':
    case 'unconfirmed':
      return `${state} ${failureWords(phase.failure)}`;
    case 'rejected':
      return `${state} ${refusalWords(phase.refusal)}`;
    case 'accepted':
      if (state === 'failed') return `${state} ${phase.report?.message ?? ''}`;
      if (state === 'unknown') return `${state} ${phase.report?.status ?? ''}`;
      if (lastQueryError === undefined) return state;
      return `check ${lastQueryError.kind === 'rejected' ? refusalWords(lastQueryError.refusal) : failureWords(lastQueryError.failure)}`;
    case 'queued':
    case 'sending':
      return state;
  }
}

function refusalWords(refusal: KeptRefusal): string {
  switch (refusal.by) {
    case 'envelope':
      return `${refusal.code} ${refusal.message ?? ''}`;
    case 'status':
      return `${refusal.status} ${refusal.excerpt}`;
    case 'redirect':
      return `${refusal.status} redirect`;
  }
}

function failureWords(failure: Failure): string {
  return 'reason' in failure ? `${failure.name} ${failure.reason}` : failure.name;
}
