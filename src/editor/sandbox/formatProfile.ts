import { l10n } from 'vscode';
import type { SandboxProfileId } from '../../sandbox/sandbox';

/** The title of a sandbox profile, and what is unusual about its responses. */
export function formatProfile(id: SandboxProfileId): { readonly title: string; readonly description: string } {
  switch (id) {
    case 'standard':
      return {
        title: l10n.t('Standard'),
        description: l10n.t('Responds as the extension expects, so nothing has to be set up.'),
      };
    case 'flaky':
      return {
        title: l10n.t('Flaky network'),
        description: l10n.t(
          'Every second import and every fifth query fails, for example because of a reset connection or a lost response.',
        ),
      };
    case 'numericIds':
      return {
        title: l10n.t('Numeric IDs and states'),
        description: l10n.t(
          'Task IDs are numbers with 19 digits, states are the numbers 0 to 3, and progress is between 0 and 1.',
        ),
      };
    case 'listInData':
      return {
        title: l10n.t('List of tasks'),
        description: l10n.t(
          'Responses contain a list with one task, queries contain a list of IDs, and progress is a text such as "37%".',
        ),
      };
    case 'nestedStates':
      return {
        title: l10n.t('Nested object and custom states'),
        description: l10n.t(
          'The task is an object inside data, and its states are RECEIVED_0, INDEXING_2, IN_DATASET and BROKEN_9.',
        ),
      };
    case 'requiredParts':
      return {
        title: l10n.t('Required form parts'),
        description: l10n.t(
          'The form must have the fields datasetCode and fileName, and the form part of the file must be called document.',
        ),
      };
    case 'unrecognizable':
      return {
        title: l10n.t('Not recognizable'),
        description: l10n.t(
          'All values have uncommon names inside nested objects, and the states are the letters A, B, Z and E.',
        ),
      };
    case 'pairs':
      return {
        title: l10n.t('Chinese states, progress as a pair'),
        description: l10n.t(
          'The states are Chinese words, progress is a number of lines and their total, and the message is called remark.',
        ),
      };
    case 'gateway':
      return {
        title: l10n.t('Behind a gateway'),
        description: l10n.t(
          'The header X-Tenant must have the value sandbox. A bad key or too many queries result in HTTP 200 and a code.',
        ),
      };
    case 'bareData':
      return {
        title: l10n.t('Data is a list'),
        description: l10n.t('The data of a response is a list with one object, and the task ID is called jobNo.'),
      };
  }
}
