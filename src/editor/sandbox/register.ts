import { sandboxStartsAutomatically } from '../platform/settings';
import type { Commands } from '../start/commands';
import { type StartDeps, startSandbox } from './startSandbox';
import { startSandboxAs } from './startSandboxAs';

/** Registers the commands of the sandbox, and starts it if the settings say so. */
export function registerSandbox(deps: StartDeps & { readonly commands: Commands }): void {
  const { sandbox, messages } = deps;
  if (sandboxStartsAutomatically()) void sandbox.start().catch((error) => messages.error(error));
  deps.commands.handle(
    {
      'datasetImport.startSandbox': () => startSandbox(deps),
      'datasetImport.startSandboxAs': () => startSandboxAs(deps),
      'datasetImport.stopSandbox': () => sandbox.stop(),
      'datasetImport.showSandboxRequests': () => sandbox.showRequests(),
    },
    messages,
  );
}
