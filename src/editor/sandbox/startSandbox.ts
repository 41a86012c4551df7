import { l10n } from 'vscode';
import type { SandboxProfileId } from '../../sandbox/sandbox';
import type { Datasets } from '../datasets/datasets';
import type { Messages } from '../platform/messages';
import type { SandboxHost } from './sandboxHost';

export interface StartDeps {
  readonly sandbox: SandboxHost;
  readonly datasets: Datasets;
  readonly messages: Messages;
}

/** Starts the sandbox and shows how to import to it. */
export async function startSandbox(deps: StartDeps, profile?: SandboxProfileId): Promise<void> {
  const dataset = await deps.sandbox.start(profile);
  const isDefault = deps.datasets.default === dataset;
  const useIt = { label: l10n.t('Set as Default'), run: () => deps.datasets.setDefault(dataset) };
  const showRequests = { label: l10n.t('Show Requests'), run: () => deps.sandbox.showRequests() };
  const message = isDefault
    ? l10n.t("The sandbox is running. Files are imported to dataset '{0}' and stay on this machine.", dataset.name)
    : l10n.t(
        "The sandbox is running as dataset '{0}'. Files that are imported to it stay on this machine.",
        dataset.name,
      );
  await deps.messages.done(message, ...(isDefault ? [] : [useIt]), showRequests);
}
