import { sandboxStartsAutomatically } from '../platform/settings';
import type { Services } from '../services/services';
import { type StartServices, startSandbox, startSandboxAs } from './startSandbox';

/** Registers the commands of the sandbox, and starts it if the settings say so. */
export function registerSandbox(services: StartServices & Pick<Services, 'commands'>): void {
  const { sandbox, messages } = services;
  if (sandboxStartsAutomatically()) void sandbox.start().catch((error) => messages.error(error));
  services.commands.handle(
    {
      'datasetImport.startSandbox': () => startSandbox(services),
      'datasetImport.startSandboxAs': () => startSandboxAs(services),
      'datasetImport.stopSandbox': () => sandbox.stop(),
      'datasetImport.showSandboxRequests': () => sandbox.showRequests(),
    },
    messages,
  );
}
