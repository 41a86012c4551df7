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
    case 'oddNames':
      return {
        title: l10n.t('Uncommon names'),
        description: l10n.t(
          'Lets you practice mapping: all values have uncommon names inside nested objects, and the states are the letters A, B, Z and E.',
        ),
      };
  }
}
