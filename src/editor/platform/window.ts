import * as vscode from 'vscode';
import { plainLines, plainText } from './outsideText';

type ShowMessage = (
  message: string,
  options: vscode.MessageOptions,
  ...buttons: string[]
) => Thenable<string | undefined>;

/**
 * What of VS Code's window shows text. Whatever text goes in is made plain, so that names of files and words of a
 * service cannot hide, reorder, link or draw anything. Nobody else calls these functions of `vscode.window`. An icon
 * of our own goes into `iconPath`; buttons are words of our own.
 */
export const window = {
  showInformationMessage: plainly((...given) => vscode.window.showInformationMessage(...given)),
  showWarningMessage: plainly((...given) => vscode.window.showWarningMessage(...given)),
  showErrorMessage: plainly((...given) => vscode.window.showErrorMessage(...given)),

  async showQuickPick<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: vscode.QuickPickOptions,
  ): Promise<T | undefined> {
    const shown = items.map((item) => ({ ...item, ...plain(item, ['label', 'description', 'detail']) }));
    const picked = await vscode.window.showQuickPick(shown, plain(options, ['title', 'placeHolder']));
    return picked && items[shown.indexOf(picked)];
  },

  /** The `value` stays as it is, as it comes back. */
  showInputBox(options: InputOptions): Thenable<string | undefined> {
    const { validateInput } = options;
    return vscode.window.showInputBox({
      ...plain(options, ['title', 'prompt', 'placeHolder']),
      ...(validateInput && {
        validateInput: (typed) => {
          const fault = validateInput(typed);
          return fault && plainText(fault);
        },
      }),
    });
  },

  withProgress<T>(
    options: vscode.ProgressOptions,
    task: (progress: vscode.Progress<{ message: string }>, token: vscode.CancellationToken) => Thenable<T>,
  ): Thenable<T> {
    return vscode.window.withProgress(plain(options, ['title']), (progress, token) =>
      task({ report: (step) => progress.report(plain(step, ['message'])) }, token),
    );
  },

  setStatusBarMessage(text: string, hideAfterMs: number): vscode.Disposable {
    return vscode.window.setStatusBarMessage(plainText(text), hideAfterMs);
  },
};

/** What an input box takes; its text is checked at once. */
type InputOptions = Omit<vscode.InputBoxOptions, 'validateInput'> & {
  readonly validateInput?: (typed: string) => string | undefined;
};

function plainly(show: ShowMessage) {
  return (message: string, options: vscode.MessageOptions, ...buttons: string[]): Thenable<string | undefined> => {
    const detail = options.detail === undefined ? {} : { detail: plainLines(options.detail) };
    return show(plainText(message), { ...options, ...detail }, ...buttons);
  };
}

/** The same, with these texts of it plain. */
function plain<T extends object>(whole: T, names: readonly (keyof T & string)[]): T {
  const texts = names.flatMap((name) => {
    const text = whole[name];
    return typeof text === 'string' ? [[name, plainText(text)] as const] : [];
  });
  return { ...whole, ...Object.fromEntries(texts) };
}
