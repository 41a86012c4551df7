import type { Disposable } from 'vscode';
import { registerCommands } from '../platform/registerCommands';
import { sandboxStartsAutomatically } from '../platform/settings';
import { type StartDeps, startSandbox } from './startSandbox';
import { startSandboxAs } from './startSandboxAs';

/** Registers the commands of the sandbox, and starts it if the settings say so. */
export function registerSandbox(deps: StartDeps): Disposable {
  const { sandbox, messages } = deps;
  if (sandboxStartsAutomatically()) void sandbox.start().catch((error) => messages.error(error));
  return registerCommands(
    {
      startSandbox: () => startSandbox(deps),
      startSandboxAs: () => startSandboxAs(deps),
      stopSandbox: () => sandbox.stop(),
      showSandboxRequests: () => sandbox.showRequests(),
    },
    messages,
  );
}
