import { l10n } from 'vscode';
import { window } from '../platform/window';
import { formatProfile } from './formatProfile';
import type { StartServices } from './startSandbox';
import { startSandbox } from './startSandbox';

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
