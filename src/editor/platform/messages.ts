import * as vscode from 'vscode';
import { SourceError } from '../../service/errors';
import { KnownKeys } from '../../service/masking/mask';
import type { Outcome } from '../../service/response/outcome';
import type { SetAside } from '../../tasks/store/importStore';
import { StoreFault } from '../../tasks/store/storeFault';
import { type Action, commandTitle, UserError } from './actions';
import { errorText, formatFailure, formatFault, formatRejection } from './formatFailures';
import { oneLine } from './outsideText';
import { window } from './window';

type ShowFunction = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

/** Shows messages and writes the log. Access keys are masked in both. */
export class Messages implements vscode.Disposable {
  readonly #deviations = new Set<string>();
  #isClosed = false;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly keys: KnownKeys = new KnownKeys(),
  ) {}

  /** Shows an information message. Resolves once the chosen action has run or the message is closed. */
  async done(message: string, ...actions: Action[]): Promise<void> {
    await this.#show('showInformationMessage', message, actions);
  }

  /** Shows and logs a warning. */
  async warn(message: string, ...actions: Action[]): Promise<void> {
    this.#write('warn', message);
    await this.#show('showWarningMessage', message, actions);
  }

  /**
   * Shows and logs any kind of error, with buttons for next steps. Also logs the stack trace unless the error is a
   * UserError.
   */
  async error(error: unknown): Promise<void> {
    if (error instanceof UserError) this.#write('warn', error.message);
    else this.#write('error', String(error), framesOf(error));
    const { message, actions } = formatError(error, () => this.log.show());
    await this.#show('showErrorMessage', message, actions);
  }

  /** Warns that the task database was unreadable and has been set aside. */
  storeSetAside({ aside, reason }: SetAside): Promise<void> {
    const foreign = vscode.l10n.t(
      "The task database is of another version of the extension. It was moved to '{0}', and a new one was created.",
      aside,
    );
    const damaged = vscode.l10n.t(
      "The task database was damaged. It was moved to '{0}', and a new one was created. The tasks in it are no longer in the list, and files that were queued are not sent. A file that was being sent may have been received.",
      aside,
    );
    return this.warn(reason === 'foreign' ? foreign : damaged);
  }

  /**
   * Asks the user to reload this window. This window no longer sends anything, because a window with a newer version of
   * the extension is waiting to take over.
   */
  async outdated(): Promise<void> {
    const reload = vscode.l10n.t('Reload Window');
    const run = () => vscode.commands.executeCommand('workbench.action.reloadWindow');
    await this.warn(vscode.l10n.t('Dataset Import was updated. Reload this window.'), { label: reload, run });
  }

  secretsUnreadable(cause: unknown): Promise<void> {
    const message = vscode.l10n.t(
      'Access keys cannot be read from the secret storage of VS Code, so you may be asked for them again: {0}',
      errorText(cause),
    );
    return this.warn(message);
  }

  /** Logs a request's outcome. Each kind of deviation from the documented response is logged once per window. */
  readonly noteOutcome = (url: URL, outcome: Outcome<unknown>): void => {
    const cause = 'cause' in outcome ? `: ${outcome.cause.message}` : '';
    const rejection = outcome.kind === 'rejected' ? `: ${formatRejection(outcome.rejection)}` : '';
    const level = outcome.kind === 'accepted' ? 'debug' : 'info';
    this.#write(level, `${url.origin}${url.pathname}: ${outcome.kind}${cause}${rejection}`);
    for (const deviation of outcome.kind === 'accepted' ? outcome.response.deviations : []) {
      const entry = `${url.origin}${url.pathname}: ${deviation}`;
      if (!this.#deviations.has(entry)) this.#write('info', entry);
      this.#deviations.add(entry);
    }
  };

  /** Logs a message without showing it. */
  note(message: string): void {
    this.#write('info', message);
  }

  /** Closes the log. Drops any later entries. */
  dispose(): void {
    this.#isClosed = true;
    this.log.dispose();
  }

  /** Escapes line breaks so that untrusted text can't fake a log entry. */
  #write(level: 'debug' | 'info' | 'warn' | 'error', text: string, frames: readonly string[] = []): void {
    // Writing to a closed log throws, and that error would become the outcome of the request being logged.
    if (this.#isClosed) return;
    this.log[level]([text, ...frames].map((line) => oneLine(this.keys.mask(line))).join('\n'));
  }

  /** The user may choose an action long after the command has ended, so we show the action's errors here. */
  async #show(show: ShowFunction, message: string, actions: readonly Action[]): Promise<void> {
    const chosen = await window[show](this.keys.mask(message), {}, ...actions.map(({ label }) => label));
    try {
      await actions.find(({ label }) => label === chosen)?.run();
    } catch (error) {
      await this.error(error);
    }
  }
}

/** Returns an error's message and buttons. */
export function formatError(error: unknown, openLog: () => void): { message: string; actions: readonly Action[] } {
  if (error instanceof UserError) return error;
  if (error instanceof SourceError) return { message: formatFailure(error), actions: [] };
  const message =
    error instanceof StoreFault
      ? formatFault(error)
      : vscode.l10n.t('An unexpected error occurred: {0}', errorText(error));
  return { message, actions: [{ label: commandTitle('showLog'), run: openLog }] };
}

/** An error's stack frames. May include lines of the message that look like stack frames, which is harmless. */
function framesOf(error: unknown): string[] {
  const frames = (error instanceof Error && error.stack?.match(/^[ \t]+at .*$/gm)) || [];
  return frames.map((frame) => `    ${frame.trim()}`);
}
