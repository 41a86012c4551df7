import * as vscode from 'vscode';
import { SourceError } from '../service/errors';
import type { Outcome } from '../service/outcome';
import { StoreError } from '../tasks/storeError';
import { plainText } from './plainText';
import { type Action, UserError } from './userError';
import { refusalWords, sourceWords, storeWords } from './words';

/** Tells people what happened, and keeps the log. No text that is shown or logged may hold an access key. */
export class Messages {
  readonly #log: vscode.LogOutputChannel;
  readonly #deviations = new Set<string>();

  constructor(log: vscode.LogOutputChannel) {
    this.#log = log;
  }

  /** Says that something went as wanted. Resolves when the chosen action has run or the message is gone. */
  async done(message: string, ...actions: Action[]): Promise<void> {
    const labels = actions.map(({ label }) => label);
    await this.#runChosen(vscode.window.showInformationMessage(plainText(message), ...labels), actions);
  }

  /** Says that something needs a look. */
  async warn(message: string, ...actions: Action[]): Promise<void> {
    this.#log.warn(message);
    const labels = actions.map(({ label }) => label);
    await this.#runChosen(vscode.window.showWarningMessage(plainText(message), ...labels), actions);
  }

  /** The error boundary: turns whatever was thrown into words and next steps. */
  async error(error: unknown): Promise<void> {
    this.#log.error(error instanceof Error ? error : String(error));
    const { message, actions } = errorWords(error, () => this.showLog());
    const labels = actions.map(({ label }) => label);
    await this.#runChosen(vscode.window.showErrorMessage(plainText(message), ...labels), actions);
  }

  /** Says that a damaged record of tasks was set aside. */
  storeSetAside(path: string): Promise<void> {
    return this.warn(vscode.l10n.t('The record of tasks was damaged. It was kept as {0}, and a new one begun.', path));
  }

  /** Says that access keys cannot be read, and why. */
  secretsUnreadable(cause: unknown): Promise<void> {
    const words = cause instanceof Error ? cause.message : String(cause);
    return this.warn(
      vscode.l10n.t('The secret storage of VS Code cannot be read, so Access-Keys are asked for: {0}', words),
    );
  }

  /** Says that a key cannot be used here any more, as another window has replaced it. */
  keyOutdated(dataset: string): Promise<void> {
    return this.warn(
      vscode.l10n.t(
        "The access key of '{0}' was replaced in another window, and this window cannot read the new one. Reload the window, or set the key here too.",
        dataset,
      ),
      {
        label: vscode.l10n.t('Reload Window'),
        run: async () => void (await vscode.commands.executeCommand('workbench.action.reloadWindow')),
      },
    );
  }

  /** Logs how a request ended; a departure from the documented answer once a window. */
  noteOutcome(url: URL, outcome: Outcome<unknown>): void {
    const cause = 'cause' in outcome ? `: ${outcome.cause.message}` : '';
    const refusal = outcome.kind === 'rejected' ? `: ${refusalWords(outcome.refusal)}` : '';
    const level = outcome.kind === 'accepted' ? 'debug' : 'info';
    this.#log[level](`${url.origin}${url.pathname}: ${outcome.kind}${cause}${refusal}`);
    for (const deviation of outcome.kind === 'accepted' ? outcome.answer.deviations : []) {
      const words = `${url.origin}${url.pathname}: ${deviation}`;
      if (!this.#deviations.has(words)) this.#log.info(words);
      this.#deviations.add(words);
    }
  }

  /** Writes into the log only. */
  note(message: string): void {
    this.#log.info(message);
  }

  /** Opens the log. */
  showLog(): void {
    this.#log.show();
  }

  /** An action may be chosen long after the command that offered it has ended, so its errors are told here. */
  async #runChosen(chosen: Thenable<string | undefined>, actions: readonly Action[]): Promise<void> {
    const label = await chosen;
    try {
      await actions.find((action) => action.label === label)?.run();
    } catch (error) {
      await this.error(error);
    }
  }
}

/** Whatever was thrown, in words and with the next steps. */
export function errorWords(error: unknown, openLog: () => void): { message: string; actions: readonly Action[] } {
  const showLog = { label: vscode.l10n.t('Show Log'), run: openLog };
  if (error instanceof UserError) return error;
  if (error instanceof SourceError) return { message: sourceWords(error), actions: [] };
  if (error instanceof StoreError) return { message: storeWords(error), actions: [showLog] };
  const words = error instanceof Error ? error.message : String(error);
  return { message: vscode.l10n.t('Something unexpected happened: {0}', words), actions: [showLog] };
}
