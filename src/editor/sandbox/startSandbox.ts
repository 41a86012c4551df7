import { l10n } from 'vscode';
import type { SandboxProfileId } from '../../sandbox/sandbox';
import { commandAction } from '../platform/userError';
import { window } from '../platform/window';
import type { Services } from '../services/services';
import type { SandboxHost } from './sandboxHost';

export interface StartServices extends Pick<Services, 'datasets' | 'messages'> {
  readonly sandbox: SandboxHost;
}

/** Starts the sandbox and shows how to import to it. */
export async function startSandbox(services: StartServices, profile?: SandboxProfileId): Promise<void> {
  const dataset = await services.sandbox.start(profile);
  const isDefault = services.datasets.default === dataset;
  const useIt = { label: l10n.t('Set as Default'), run: () => services.datasets.setDefault(dataset) };
  const importSamples = commandAction(l10n.t('Import Sample Files'), 'importSamples');
  const showRequests = { label: l10n.t('Show Requests'), run: () => services.sandbox.showRequests() };
  const message = isDefault
    ? l10n.t("The sandbox is running. Files are imported to dataset '{0}' and stay on this machine.", dataset.name)
    : l10n.t(
        "The sandbox is running as dataset '{0}'. Files that are imported to it stay on this machine.",
        dataset.name,
      );
  await services.messages.done(message, importSamples, ...(isDefault ? [] : [useIt]), showRequests);
}

/** Starts the sandbox with a profile that the user picks, to try the mapping of responses. */
export async function startSandboxAs(services: StartServices): Promise<void> {
  const profiles = await services.sandbox.profiles();
  const items = profiles.map((id) => {
    const { title, description } = formatProfile(id);
    return { label: title, detail: description, id };
  });
  const title = l10n.t('Start Sandbox As');
  const placeHolder = l10n.t('Select how the sandbox responds');
  const picked = await window.showQuickPick(items, { title, placeHolder });
  if (picked === undefined) return;
  await services.sandbox.stop();
  await startSandbox(services, picked.id);
}

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
