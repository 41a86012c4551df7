import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox';

/** Leaves the sandbox's messages in English, like VS Code's `l10n` in the default display language. */
export const english: SandboxOptions['l10n'] = {
  t: (message, ...values) => message.replaceAll(/\{(\d+)\}/g, (_, index) => String(values[index])),
};

/** Runs a test with its own sandbox, and stops the sandbox even if the test fails. */
export async function runSandbox(
  options: Partial<SandboxOptions>,
  test: (sandbox: Sandbox) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ l10n: english, ...options });
  try {
    await test(sandbox);
  } finally {
    await sandbox.close();
  }
}
