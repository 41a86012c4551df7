import * as vscode from 'vscode';
import { plainLines, plainText } from './outsideText';

type Show = (message: string, options: vscode.MessageOptions, ...buttons: string[]) => Thenable<string | undefined>;

/**
 * Wrappers for the `vscode.window` functions that show text. A test forbids calling the originals elsewhere. The
 * wrappers convert all text to plain text, so that a file name or a service's response can't inject a link, an icon or
 * a hidden character. Use `iconPath` for our own icons, and never use untrusted text for buttons.
 */
export const window = {
  showInformationMessage: plainly((...given) => vscode.window.showInformationMessage(...given)),
  showWarningMessage: plainly((...given) => vscode.window.showWarningMessage(...given)),
  showErrorMessage: plainly((...given) => vscode.window.showErrorMessage(...given)),

  /** Asks a question in a modal dialog. Returns whether the user clicked the button. */
  async confirm(question: string, detail: string, button: string): Promise<boolean> {
    const options = { modal: true, ...(detail !== '' && { detail }) };
    return (await window.showWarningMessage(question, options, button)) === button;
  },

  createWebviewPanel: (viewType: string, title: string): vscode.WebviewPanel =>
    vscode.window.createWebviewPanel(viewType, plainText(title), vscode.ViewColumn.Active),

  /** Lets the user pick an item. If `typed` is given, also offers an item made from the typed text. */
  showQuickPick<T extends vscode.QuickPickItem>(
    items: readonly T[],
    options: PickOptions,
    typed?: (text: string) => T | undefined,
  ): Promise<T | undefined> {
    return openPick<T, T>(options, (pick, rows, end) => {
      rows.show(items);
      const typedItem = () => (pick.value === '' ? undefined : typed?.(pick.value));
      pick.onDidChangeValue(() => {
        const item = typedItem();
        if (typed !== undefined) rows.show(item === undefined ? items : [...items, { ...item, alwaysShow: true }]);
      });
      pick.onDidAccept(() => {
        // The user may press Enter before the list shows the typed item.
        const item = rows.of(pick.activeItems[0]) ?? typedItem();
        if (item !== undefined) end(item);
      });
    });
  },

  /**
   * Shows rows with checkboxes. Returns 'accepted', the index of the clicked title button, or undefined if the list is
   * closed.
   */
  showChecklist<T extends vscode.QuickPickItem>(list: Checklist<T>): Promise<'accepted' | number | undefined> {
    return openPick<T, 'accepted' | number>({ placeHolder: list.placeHolder }, (pick, rows, end) => {
      // VS Code also reports selections that we set. If the extension host is slow, such a report may arrive after the
      // user's next action. So after setting a selection, ignore reports until one contains that selection.
      let awaited: readonly vscode.QuickPickItem[] | undefined;
      /** Whether the checkboxes still show an older selection. */
      let isBehind = false;
      const isSelected = (item: vscode.QuickPickItem) => list.isSelected(rows.of(item) as T);
      const showSelection = (reported?: readonly vscode.QuickPickItem[]) => {
        pick.title = plainText(list.title());
        const selected = pick.items.filter(isSelected);
        if (reported !== undefined && areSame(reported, selected)) return;
        pick.selectedItems = selected;
        isBehind = false;
        // If we show new rows and select none of them, VS Code doesn't report a selection.
        awaited = reported === undefined && selected.length === 0 ? undefined : selected;
      };
      const show = () => {
        rows.show(list.rows(pick.value));
        showSelection();
      };
      pick.canSelectMany = true;
      pick.keepScrollPosition = true;
      pick.buttons = list.buttons;
      show();
      pick.onDidChangeSelection((reported) => {
        if (awaited !== undefined) {
          isBehind = !areSame(reported, awaited);
          if (!isBehind) awaited = undefined;
          return;
        }
        const selected = new Set(reported);
        const changed = pick.items.filter((item) => selected.has(item) !== isSelected(item));
        for (const item of changed) list.select(rows.of(item) as T, selected.has(item));
        if (changed.length > 0) showSelection(reported);
      });
      pick.onDidTriggerItemButton(({ item }) => {
        const index = pick.items.indexOf(item);
        list.expand(rows.of(item) as T);
        show();
        pick.activeItems = pick.items.slice(index, index + 1);
      });
      pick.onDidTriggerButton((button) => end(pick.buttons.indexOf(button)));
      pick.onDidChangeValue(show);
      pick.onDidAccept(() => {
        if (pick.value === '') return !isBehind && list.canAccept() && end('accepted');
        // Accepting would also include rows that the search hides, so show the whole list first.
        pick.value = '';
        show();
      });
    });
  },

  /** Shows an input box until the user accepts the input or closes the box. The box stays open when it loses focus. */
  showInputBox(box: InputBox): Promise<string | undefined> {
    const { title, prompt, placeHolder = '', value = '', valueSelection = [0, value.length], password = false } = box;
    const input = vscode.window.createInputBox();
    // Don't convert the value to plain text, because it is what the user edits.
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
    // Don't validate yet: an empty box isn't an error before the user types.
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

  /** Shows a notification with a Cancel button until `task` ends. */
  withProgress<T>(title: string, task: (signal: AbortSignal, report: (message: string) => void) => Thenable<T>) {
    const options = { location: vscode.ProgressLocation.Notification, title: plainText(title), cancellable: true };
    return vscode.window.withProgress(options, (progress, token) => {
      const stop = new AbortController();
      token.onCancellationRequested(() => stop.abort());
      return task(stop.signal, (message) => progress.report({ message: plainText(message) }));
    });
  },

  setStatusBarMessage(text: string, hideAfterMs: number): vscode.Disposable {
    return vscode.window.setStatusBarMessage(plainText(text), hideAfterMs);
  },
};

/** A Quick Pick with checkboxes that stays open while its rows change. */
export interface Checklist<T extends vscode.QuickPickItem> {
  title(): string;
  readonly placeHolder: string;
  /** Buttons in the title. Each of them closes the list. */
  readonly buttons: readonly vscode.QuickInputButton[];
  /** The rows to show for the search text, which may be empty. */
  rows(search: string): readonly T[];
  isSelected(row: T): boolean;
  /** Called when the user selects or clears a row. May change other rows, too. */
  select(row: T, isSelected: boolean): void;
  /** Called when the user clicks a row's button. */
  expand(row: T): void;
  /** Whether pressing Enter closes the list. */
  canAccept(): boolean;
}

export interface InputBox {
  readonly title: string;
  readonly prompt: string;
  readonly placeHolder?: string;
  readonly value?: string;
  /** By default, the whole value is selected. */
  readonly valueSelection?: readonly [number, number];
  readonly password?: boolean;
  /** Explains why the input is invalid. */
  validateInput?(typed: string): string | undefined;
  /** A hint to show if the input is valid. */
  note?(typed: string): string | undefined;
}

/** Functions that ask the user for something. Tests replace them. */
export const picks = { one: window.showQuickPick, text: window.showInputBox, checklist: window.showChecklist };

export type Picks = typeof picks;

/** A separator line in a Quick Pick, with a title for the items below it. */
export function separator(label: string) {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

/** Quick Pick items with a title above them. Returns an empty list if there are no items. */
export function titled<T extends vscode.QuickPickItem>(label: string, items: readonly T[]) {
  return items.length === 0 ? [] : [separator(label), ...items];
}

interface PickOptions {
  readonly title?: string;
  readonly placeHolder: string;
}

/** Maps Quick Pick items, whose text has been converted to plain text, back to our rows. */
interface PickRows<T> {
  show(rows: readonly T[]): void;
  of(item: vscode.QuickPickItem | undefined): T | undefined;
}

/**
 * Opens a Quick Pick and lets `begin` fill it. Returns the result that `begin` passes to `end`, or undefined if the user
 * closes the Quick Pick.
 */
function openPick<T extends vscode.QuickPickItem, End>(
  { title = '', placeHolder }: PickOptions,
  begin: (pick: vscode.QuickPick<vscode.QuickPickItem>, rows: PickRows<T>, end: (end: End) => void) => void,
): Promise<End | undefined> {
  const pick = vscode.window.createQuickPick();
  const own = new Map<vscode.QuickPickItem, T>();
  const show = (rows: readonly T[]) => {
    own.clear();
    for (const row of rows) own.set({ ...row, ...plainRow(row) }, row);
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

function plainly(show: Show) {
  return (message: string, options: vscode.MessageOptions, ...buttons: string[]): Thenable<string | undefined> => {
    const detail = options.detail === undefined ? {} : { detail: plainLines(options.detail) };
    return show(plainText(message), { ...options, ...detail }, ...buttons);
  };
}

function plainRow({ label, description, detail }: vscode.QuickPickItem) {
  return {
    label: plainText(label),
    ...(description !== undefined && { description: plainText(description) }),
    ...(detail !== undefined && { detail: plainText(detail) }),
  };
}
