import { type Sandbox, type SandboxOptions, startSandbox } from '../../../src/sandbox/sandbox';

/** Runs a test with its own sandbox, and stops the sandbox even if the test fails. */
export async function runSandbox(options: SandboxOptions, test: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox(options);
  try {
    await test(sandbox);
  } finally {
    await sandbox.close();
  }
}
