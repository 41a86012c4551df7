import { l10n } from 'vscode';
import type { SandboxProfileId } from '../../sandbox/sandbox';

/** The title of a sandbox profile, and what is unusual about its responses. */
export function formatProfile(id: SandboxProfileId): { readonly title: string; readonly description: string } {
  switch (id) {
    case 'standard':
      return {
        title: l10n.t('Standard'),
        description: l10n.t('Speaks as the extension assumes, so nothing has to be mapped.'),
      };
    case 'flaky':
      return {
        title: l10n.t('Flaky network'),
        description: l10n.t(
          'Every second import and every fifth query meets a trouble, such as a reset connection or a lost answer.',
        ),
      };
    case 'numericIds':
      return {
        title: l10n.t('Numeric IDs and states'),
        description: l10n.t(
          'Task IDs are JSON numbers of 19 digits, states are the numbers 0 to 3, and progress goes from 0 to 1.',
        ),
      };
    case 'listInData':
      return {
        title: l10n.t('List of tasks'),
        description: l10n.t(
          'Both answers hold a list with one task, the query asks with a list of IDs, and progress is like "37%".',
        ),
      };
    case 'nestedStates':
      return {
        title: l10n.t('Nested, with states of its own'),
        description: l10n.t(
          'The task is an object inside data, and its states are called RECEIVED_0, INDEXING_2, IN_DATASET and BROKEN_9.',
        ),
      };
    case 'requiredParts':
      return {
        title: l10n.t('Required form parts'),
        description: l10n.t(
          'The file part is called document, and the form must have the fields datasetCode and fileName.',
        ),
      };
    case 'unrecognizable':
      return {
        title: l10n.t('Unrecognisable'),
        description: l10n.t(
          'Everything is two objects deep under words that nobody guesses, and the states are the letters A, B, Z and E.',
        ),
      };
    case 'pairs':
      return {
        title: l10n.t('Chinese states, progress as a pair'),
        description: l10n.t(
          'The states are Chinese words, progress is lines done of lines in total, and the message is called remark.',
        ),
      };
    case 'gateway':
      return {
        title: l10n.t('Behind a gateway'),
        description: l10n.t(
          'The header X-Tenant must be sent, with the value sandbox, and a bad key or too many queries get HTTP 200 and a code.',
        ),
      };
    case 'bareData':
      return {
        title: l10n.t('Data is a list'),
        description: l10n.t('The data of an answer is itself a list with one object, and the ID is called jobNo.'),
      };
  }
}
