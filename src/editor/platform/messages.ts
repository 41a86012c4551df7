import * as vscode from 'vscode';
import { KnownKeys } from '../../service/masking/knownKeys';
import type { Outcome } from '../../service/response/outcome';
import { formatError } from './formatError';
import { formatRefusal } from './formatOutcome';
import { oneLine } from './outsideText';
import type { Action } from './userError';
import { window } from './window';

/** Tells people what happened, and keeps the log. No text that is shown or logged may hold an access key. */
export class Messages {
  readonly #log: vscode.LogOutputChannel;
  readonly #keys: KnownKeys;
  readonly #deviations = new Set<string>();

  /** All `keys` are masked in whatever is told or logged. */
  constructor(log: vscode.LogOutputChannel, keys: KnownKeys = new KnownKeys()) {
    this.#log = log;
    this.#keys = keys;
  }

  /** Says that something went as wanted. Resolves when the chosen action has run or the message is gone. */
  async done(message: string, ...actions: Action[]): Promise<void> {
    await this.#tell('showInformationMessage', message, actions);
  }

  /** Says that something needs a look. */
  async warn(message: string, ...actions: Action[]): Promise<void> {
    this.#write('warn', message);
    await this.#tell('showWarningMessage', message, actions);
  }

  /** The error boundary: turns whatever was thrown into words and next steps. */
  async error(error: unknown): Promise<void> {
    this.#write('error', String(error), framesOf(error));
    const { message, actions } = formatError(error, () => this.showLog());
    await this.#tell('showErrorMessage', message, actions);
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

  /** Logs how a request ended; a departure from the documented response once a window. */
  readonly noteOutcome = (url: URL, outcome: Outcome<unknown>): void => {
    const cause = 'cause' in outcome ? `: ${outcome.cause.message}` : '';
    const refusal = outcome.kind === 'rejected' ? `: ${formatRefusal(outcome.refusal)}` : '';
    const level = outcome.kind === 'accepted' ? 'debug' : 'info';
    this.#write(level, `${url.origin}${url.pathname}: ${outcome.kind}${cause}${refusal}`);
    for (const deviation of outcome.kind === 'accepted' ? outcome.response.deviations : []) {
      const words = `${url.origin}${url.pathname}: ${deviation}`;
      if (!this.#deviations.has(words)) this.#write('info', words);
      this.#deviations.add(words);
    }
  };

  /** Writes into the log only. */
  note(message: string): void {
    this.#write('info', message);
  }

  /** Opens the log. */
  showLog(): void {
    this.#log.show();
  }

  /** Each text is one line of the log, whatever is in it, so that none can pass for another entry. */
  #write(level: 'debug' | 'info' | 'warn' | 'error', text: string, frames: readonly string[] = []): void {
    this.#log[level]([text, ...frames].map((line) => oneLine(this.#keys.mask(line))).join('\n'));
  }

  #tell(
    show: 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage',
    message: string,
    actions: readonly Action[],
  ): Promise<void> {
    const labels = actions.map(({ label }) => label);
    return this.#runChosen(window[show](this.#keys.mask(message), {}, ...labels), actions);
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

/** Where an error came from; its words may hold lines of their own. */
function framesOf(error: unknown): string[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const words = String(error);
  return (
    stack
      .slice(stack.startsWith(words) ? words.length : 0)
      .match(/^[ \t]+at .*$/gm)
      ?.map((frame) => `    ${frame.trim()}`) ?? []
  );
}
