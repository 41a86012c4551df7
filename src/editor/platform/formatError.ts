import { l10n } from 'vscode';
import { SourceError } from '../../service/errors';
import { StoreFault } from '../../tasks/store/storeFault';
import { commandTitle } from './commandTitle';
import { formatSource } from './formatFailures';
import { type Action, UserError } from './userError';

/** The message and the buttons for an error of any kind. */
export function formatError(error: unknown, openLog: () => void): { message: string; actions: readonly Action[] } {
  const showLog = { label: commandTitle('showLog'), run: openLog };
  if (error instanceof UserError) return error;
  if (error instanceof SourceError) return { message: formatSource(error), actions: [] };
  if (error instanceof StoreFault) return { message: formatFault(error), actions: [showLog] };
  return { message: l10n.t('An unexpected error occurred: {0}', errorText(error)), actions: [showLog] };
}

/** The message of an error, or the text of any other thrown value. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Says why the task database can't be used. */
export function formatFault({ reason, message }: StoreFault): string {
  switch (reason) {
    case 'locked':
      return l10n.t(
        'The task database is locked by another process, or its network drive cannot lock files. Waiting until it can be locked.',
      );
    case 'full':
      return l10n.t(
        'The task database cannot be written: the disk is full, its quota is used up, or it has an error. Nothing is sent until it can be written.',
      );
    case 'damaged':
    case 'foreign':
      return l10n.t('The task database is damaged.');
    case 'newer':
      return l10n.t(
        'The task database was made by a newer version of Dataset Import. Reload the window, or update the extension.',
      );
    case 'older':
      return l10n.t('Dataset Import was updated. Reload all other windows: some of them still run the older version.');
    case 'ended':
      return l10n.t('The task database stopped unexpectedly and is started again. Try again in a moment.');
    case 'unusable':
      return l10n.t('The task database cannot be read or written: {0}', message);
    case 'invalid':
      return l10n.t('An unexpected error occurred: {0}', message);
  }
}
