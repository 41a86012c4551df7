import * as vscode from 'vscode';
import { plainLines, plainText } from './outsideText';

type ShowMessage = (
  message: string,
  options: vscode.MessageOptions,
  ...buttons: string[]
) => Thenable<string | undefined>;

/**
 * The functions of `vscode.window` that show text; a test forbids calling them elsewhere. They make every text plain,
 * so that the name of a file or the response of a service cannot inject a link, an icon or a hidden character. Our own
 * icons go into `iconPath`; buttons are never text from outside.
 */
export const window = {
  showInformationMessage: plainly((...given) => vscode.window.showInformationMessage(...given)),
  showWarningMessage: plainly((...given) => vscode.window.showWarningMessage(...given)),
  showErrorMessage: plainly((...given) => vscode.window.showErrorMessage(...given)),

  /** Asks in a modal dialog whether to do what the button says. */
  async confirm(question: string, detail: string, button: string): Promise<boolean> {
    const options = { modal: true, ...(detail !== '' && { detail }) };
    return (await window.showWarningMessage(question, options, button)) === button;
  },

  async showQuickPick<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: vscode.QuickPickOptions,
  ): Promise<T | undefined> {
    const shown = items.map((item) => ({ ...item, ...plain(item, ['label', 'description', 'detail']) }));
    const picked = await vscode.window.showQuickPick(shown, plain(options, ['title', 'placeHolder']));
    return picked && items[shown.indexOf(picked)];
  },

  /** Opens a tab for a page of ours. */
  createWebviewPanel: (viewType: string, title: string): vscode.WebviewPanel =>
    vscode.window.createWebviewPanel(viewType, plainText(title), vscode.ViewColumn.Active),

  /** As {@link showQuickPick}, with one more item, which is made of what is typed. */
  showTypedPick<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: PickOptions,
    typed: (text: string) => T | undefined,
  ): Promise<T | undefined> {
    return openPick<T, T | undefined>(options, (pick, rows, end) => {
      const made = () => (pick.value === '' ? undefined : typed(pick.value));
      const show = () => {
        const item = made();
        rows.show(item === undefined ? items : [...items, { ...item, alwaysShow: true }]);
      };
      show();
      pick.onDidChangeValue(show);
      // Enter may come before the item that is made of what was typed last.
      pick.onDidAccept(() => end(rows.of(pick.activeItems[0]) ?? made()));
    });
  },

  /** Shows a table until one of its rows closes it, or the user does. */
  showTable<T extends vscode.QuickPickItem>(table: Table<T>): Promise<void> {
    return openPick<T, void>(table, (pick, rows, end) => {
      const show = () => {
        rows.show(table.rows());
        pick.activeItems = pick.items.filter((item) => table.isActive(rows.of(item) as T));
      };
      const chosen = (item: vscode.QuickPickItem | undefined, button?: number) => {
        const row = rows.of(item);
        if (row !== undefined && table.choose(row, button)) end();
        else show();
      };
      pick.keepScrollPosition = true;
      show();
      pick.onDidAccept(() => chosen(pick.activeItems[0]));
      pick.onDidTriggerItemButton(({ item, button }) => chosen(item, item.buttons?.indexOf(button)));
    });
  },

  /** Shows a list whose rows have checkboxes. Resolves to how the user left it: with Enter, or the index of a button of its title. */
  showChecklist<T extends vscode.QuickPickItem>(list: Checklist<T>): Promise<'accepted' | number | undefined> {
    return openPick<T, 'accepted' | number>({ ...list, title: list.title() }, (pick, rows, end) => {
      // What is selected here is reported too: after what the user did meanwhile, and after the loss of the rows before.
      let awaited: readonly vscode.QuickPickItem[] | undefined;
      /** Whether the list does not show yet what is ticked. */
      let isBehind = false;
      const isTicked = (item: vscode.QuickPickItem) => list.isTicked(rows.of(item) as T);
      const showTicks = (reported?: readonly vscode.QuickPickItem[]) => {
        pick.title = plainText(list.title());
        const ticked = pick.items.filter(isTicked);
        if (reported !== undefined && areSame(reported, ticked)) return;
        pick.selectedItems = ticked;
        isBehind = false;
        // That new rows have no ticks is not reported.
        awaited = reported === undefined && ticked.length === 0 ? undefined : ticked;
      };
      const show = () => {
        rows.show(list.rows());
        showTicks();
      };
      pick.canSelectMany = true;
      pick.keepScrollPosition = true;
      pick.buttons = list.buttons;
      show();
      pick.onDidChangeSelection((selected) => {
        if (awaited !== undefined) {
          isBehind = !areSame(selected, awaited);
          if (!isBehind) awaited = undefined;
          return;
        }
        const ticked = new Set(selected);
        const changed = pick.items.filter((item) => ticked.has(item) !== isTicked(item));
        for (const item of changed) list.tick(rows.of(item) as T, ticked.has(item));
        if (changed.length > 0) showTicks(selected);
      });
      pick.onDidTriggerItemButton(({ item }) => {
        const index = pick.items.indexOf(item);
        list.press(rows.of(item) as T);
        show();
        pick.activeItems = pick.items.slice(index, index + 1);
      });
      pick.onDidTriggerButton((button) => end(pick.buttons.indexOf(button)));
      pick.onDidAccept(() => !isBehind && list.canAccept() && end('accepted'));
    });
  },

  /** Shows an input box until it is accepted or closed; losing the focus doesn't close it. */
  showInputBox(box: InputBox): Promise<string | undefined> {
    const { title, prompt, placeHolder = '', value = '', valueSelection = [0, value.length], password = false } = box;
    const input = vscode.window.createInputBox();
    // The value isn't made plain, because it is what the user enters.
    Object.assign(input, { value, valueSelection, password, ignoreFocusOut: true });
    Object.assign(input, { title: plainText(title), prompt: plainText(prompt), placeholder: plainText(placeHolder) });
    const showNote = () => {
      const note = box.note?.(input.value);
      const severity = vscode.InputBoxValidationSeverity.Info;
      input.validationMessage = note === undefined ? undefined : { message: plainText(note), severity };
    };
    const isValid = () => {
      const fault = box.validateInput?.(input.value);
      if (fault === undefined) showNote();
      else input.validationMessage = plainText(fault);
      return fault === undefined;
    };
    // An empty box is no mistake before anything is typed.
    showNote();
    return new Promise((resolve) => {
      input.onDidChangeValue(isValid);
      input.onDidAccept(() => {
        if (!isValid()) return;
        resolve(input.value);
        input.hide();
      });
      input.onDidHide(() => {
        resolve(undefined);
        input.dispose();
      });
      input.show();
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

  /**
   * Shows a message that stays until it is closed, which no other message can: as the progress of something. `onCancel` is
   * called if the user presses Cancel, which closes it too.
   */
  showLasting(title: string, text: string, links: readonly CommandLink[], onCancel: () => void): vscode.Disposable {
    const { promise, resolve } = Promise.withResolvers<void>();
    const shown = links.map(({ label, command, target }) => {
      return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([target]))})`;
    });
    const options = { location: vscode.ProgressLocation.Notification, title: plainText(title), cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      progress.report({ message: [plainText(text), ...shown].join(' ') });
      token.onCancellationRequested(onCancel);
      token.onCancellationRequested(resolve);
      return promise;
    });
    return new vscode.Disposable(resolve);
  },

  setStatusBarMessage(text: string, hideAfterMs: number): vscode.Disposable {
    return vscode.window.setStatusBarMessage(plainText(text), hideAfterMs);
  },
};

/** A link in a message that runs a command. */
export interface CommandLink {
  readonly label: string;
  readonly command: string;
  readonly target: unknown;
}

/** A Quick Pick that stays open while its rows change. */
export interface Table<T extends vscode.QuickPickItem> {
  readonly title: string;
  readonly placeHolder: string;
  rows(): readonly T[];
  /** Whether a row has the focus. */
  isActive(row: T): boolean;
  /** Takes a row that was accepted, or the number of its button that was pressed. Returns whether the table closes. */
  choose(row: T, button?: number): boolean;
}

/** A Quick Pick whose rows are ticked, and which stays open while they change. */
export interface Checklist<T extends vscode.QuickPickItem> {
  title(): string;
  readonly placeHolder: string;
  /** Those of its title, each of which closes it. */
  readonly buttons: readonly vscode.QuickInputButton[];
  rows(): readonly T[];
  isTicked(row: T): boolean;
  /** Takes a row that the user has ticked or cleared, with which others may change. */
  tick(row: T, isTicked: boolean): void;
  /** Takes a row whose button was pressed, by which the rows may change. */
  press(row: T): void;
  /** Whether Enter closes it. */
  canAccept(): boolean;
}

export interface InputBox {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly value?: string;
  /** All of the value by default. */
  readonly valueSelection?: readonly [number, number];
  readonly password?: boolean;
  /** Why the input can't be accepted. */
  validateInput?(typed: string): string | undefined;
  /** Says something about an input that can be accepted. */
  note?(typed: string): string | undefined;
}

/** What lets the user choose. */
export const picks = {
  one: window.showQuickPick,
  oneOrTyped: window.showTypedPick,
  text: window.showInputBox,
  table: window.showTable,
  checklist: window.showChecklist,
};

export type Picks = typeof picks;

/** A line between items of a Quick Pick, with the title of those below it. */
export function separator(label: string) {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Items of a Quick Pick below their title; nothing if there are none. */
export function titled<T extends vscode.QuickPickItem>(label: string, items: readonly T[]) {
  return items.length === 0 ? [] : [separator(label), ...items];
}

interface PickOptions {
  readonly title: string;
  readonly placeHolder: string;
}

/** The rows of a Quick Pick, as they were given. */
interface PickRows<T> {
  show(rows: readonly T[]): void;
  of(item: vscode.QuickPickItem | undefined): T | undefined;
}

/** Opens a Quick Pick that `begin` fills. Resolves to what it ends with; undefined where the user leaves it. */
function openPick<T extends vscode.QuickPickItem, End>(
  { title, placeHolder }: PickOptions,
  begin: (pick: vscode.QuickPick<vscode.QuickPickItem>, rows: PickRows<T>, end: (end: End) => void) => void,
): Promise<End | undefined> {
  const pick = vscode.window.createQuickPick();
  const own = new Map<vscode.QuickPickItem, T>();
  const show = (rows: readonly T[]) => {
    own.clear();
    for (const row of rows) own.set({ ...row, ...plain(row, ['label', 'description', 'detail']) }, row);
    pick.items = [...own.keys()];
  };
  pick.title = plainText(title);
  pick.placeholder = plainText(placeHolder);
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  return new Promise((resolve) => {
    const end = (ending: End) => {
      resolve(ending);
      pick.hide();
    };
    begin(pick, { show, of: (item) => item && own.get(item) }, end);
    pick.onDidHide(() => {
      pick.dispose();
      resolve(undefined);
    });
    pick.show();
  });
}

function areSame(some: readonly vscode.QuickPickItem[], others: readonly vscode.QuickPickItem[]): boolean {
  return some.length === others.length && new Set([...some, ...others]).size === some.length;
}

function plainly(show: ShowMessage) {
  return (message: string, options: vscode.MessageOptions, ...buttons: string[]): Thenable<string | undefined> => {
    const detail = options.detail === undefined ? {} : { detail: plainLines(options.detail) };
    return show(plainText(message), { ...options, ...detail }, ...buttons);
  };
}

/** A copy in which the named properties are plain text. */
function plain<T extends object>(whole: T, names: readonly (keyof T & string)[]): T {
  const texts = names.flatMap((name) => {
    const text = whole[name];
    return typeof text === 'string' ? [[name, plainText(text)] as const] : [];
  });
  return { ...whole, ...Object.fromEntries(texts) };
}
