import { posix } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../platform/actions';
import type { Picks } from '../platform/window';
import type { Chosen, ChosenText } from './candidate';

/**
 * Replaces documents that aren't files with their text, with a name that the user confirms. Returns undefined if the
 * user cancels.
 * @throws UserError if a document can't be imported
 */
export async function chosenDocuments(picks: Picks, chosen: Chosen): Promise<Chosen | undefined> {
  const { uris = [] } = chosen;
  const texts = [...(chosen.texts ?? [])];
  for (const uri of uris.filter((one) => !isFile(one))) {
    assertImportable(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    const text = await named(picks, { name: proposedName(document), bytes: Buffer.from(document.getText()), uri });
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return { ...chosen, uris: uris.filter(isFile), texts };
}

/**
 * The document in the active editor or tab. In a diff, the side that has focus. Undefined if the tab doesn't show a
 * document (for example, the Welcome page).
 */
export function activeDocument(): vscode.Uri | undefined {
  const active = vscode.window.activeTextEditor?.document.uri;
  const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  if (input instanceof vscode.TabInputTextDiff)
    return String(active) === String(input.original) ? active : input.modified;
  if (input instanceof vscode.TabInputNotebookDiff) return input.modified;
  // For custom editors, notebooks and very large files, the API doesn't report an active text editor.
  if (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook) return input.uri;
  return active ?? (input instanceof vscode.TabInputText ? input.uri : undefined);
}

/** Whether a URI refers to a file. Untitled documents, generated pages and Git versions of a file don't count. */
function isFile(uri: vscode.Uri): boolean {
  if (uri.scheme === 'untitled' || isOwnDocument(uri)) return false;
  const isWritable = vscode.workspace.fs.isWritableFileSystem(uri.scheme) === true;
  return uri.scheme === 'file' || isWritable || vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}

function isOwnDocument({ scheme }: vscode.Uri): boolean {
  return scheme.startsWith('dataset-import-');
}

/** @throws UserError if the document is one of this extension's pages, an output channel or an untitled notebook */
function assertImportable(uri: vscode.Uri): void {
  const name = posix.basename(uri.path);
  if (isOwnDocument(uri))
    throw new UserError(
      vscode.l10n.t("'{0}' is a page of Dataset Import, not a file. To import a file, open it first.", name),
    );
  const untitled = vscode.workspace.notebookDocuments.filter(({ isUntitled }) => isUntitled);
  if (uri.scheme === 'output' || untitled.some((one) => String(one.uri) === String(uri)))
    throw new UserError(vscode.l10n.t("'{0}' is not a file. Save it as a file to import it.", name));
}

/**
 * The selected text in the active editor. In a notebook, the selected cells if there are several of them or no text is
 * selected. The user confirms a name for it. Multiple selections are joined in document order. Returns undefined if the
 * user cancels.
 * @throws UserError if there is nothing to import
 */
export async function chosenSelection(picks: Picks): Promise<Chosen | undefined> {
  const active = vscode.window.activeTextEditor;
  const cells = selectedCells();
  const document = cells[0]?.document ?? active?.document;
  const editor = active?.document === document ? active : undefined;
  const isEmpty = editor === undefined || editor.selections.every((one) => one.isEmpty);
  if (document === undefined || (isEmpty && cellOf(document) === undefined))
    throw new UserError(vscode.l10n.t('Select the text to import in an editor first.'));
  assertImportable(document.uri);
  let content = document.getText();
  let name = proposedName(document);
  if (cells.length > 1) {
    content = cells.map((cell) => cell.document.getText()).join('\n\n');
    name = `${posix.parse(document.uri.path).name}, ${vscode.l10n.t('selections')}${extensionOf(document)}`;
  } else if (!isEmpty) {
    content = selectedText(editor);
    name = selectionName(name, editor);
  }
  const text = await named(picks, { name, bytes: Buffer.from(content), uri: document.uri });
  return text && { texts: [text] };
}

/** Lets the user change the name of the text. Returns undefined if the user cancels. */
async function named(picks: Picks, text: ChosenText): Promise<ChosenText | undefined> {
  const typed = await picks.text({
    title: vscode.l10n.t('Import Text'),
    prompt: vscode.l10n.t('Name of the file at the service'),
    value: text.name,
    valueSelection: [0, posix.parse(text.name).name.length],
    validateInput: nameFault,
  });
  return typed === undefined ? undefined : { ...text, name: typed.trim() };
}

function nameFault(typed: string): string | undefined {
  if (typed.trim() === '') return vscode.l10n.t('Enter a name.');
  return /[\\/\p{Cc}]/u.test(typed)
    ? vscode.l10n.t('The name cannot contain slashes, backslashes or control characters.')
    : undefined;
}

/**
 * Names an untitled document after its first line, a notebook cell after its notebook, and a file from Git history
 * after the file and its revision.
 */
function proposedName(document: vscode.TextDocument): string {
  const { uri, isUntitled } = document;
  const { name, ext } = posix.parse(uri.path);
  const cell = cellOf(document);
  if (cell !== undefined) return `${vscode.l10n.t('{0}, cell {1}', name, cell.index + 1)}${extensionOf(document)}`;
  if (isUntitled) return `${firstWords(document) || name}${extensionOf(document)}`;
  // The Git extension puts the commit or branch in the query.
  const [, ref = ''] = /"ref":"([^"]{0,40})/.exec(uri.query) ?? [];
  const version = ref.replace(/[\\/~:]+/g, ' ').trim() || uri.scheme;
  return `${isFile(uri) ? name : `${name} (${version})`}${ext || extensionOf(document)}`;
}

function firstWords(document: vscode.TextDocument): string {
  const [line = ''] = /^.*[\p{L}\p{N}].*$/mu.exec(document.getText().slice(0, 1000)) ?? [];
  return line
    .replace(/[^\p{L}\p{N}\p{M} _.,-]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.,-]+/, '')
    .slice(0, 50)
    .trim();
}

const EXTENSIONS: Readonly<Record<string, string>> = { markdown: '.md', python: '.py' };

function extensionOf({ languageId }: vscode.TextDocument): string {
  const isExtension = /^(?:csv|html|jsonl?|sql|xml|yaml)$/.test(languageId);
  return EXTENSIONS[languageId] ?? (isExtension ? `.${languageId}` : '.txt');
}

/**
 * The selected cells in the active notebook. They may not include the last edited cell, which `activeTextEditor` refers
 * to.
 */
function selectedCells(): readonly vscode.NotebookCell[] {
  const { notebook, selections = [] } = vscode.window.activeNotebookEditor ?? {};
  const cells = notebook?.getCells() ?? [];
  return cells.filter(({ index }) => selections.some(({ start, end }) => start <= index && index < end));
}

function cellOf(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  return vscode.workspace.notebookDocuments.flatMap((one) => one.getCells()).find((cell) => cell.document === document);
}

function selectedText({ document, selections }: vscode.TextEditor): string {
  const eol = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return selections
    .filter(({ isEmpty }) => !isEmpty)
    .toSorted((one, other) => one.start.compareTo(other.start))
    .map((part) => document.getText(part))
    .join(eol);
}

function selectionName(whole: string, { selections }: vscode.TextEditor): string {
  const { name, ext } = posix.parse(whole);
  const [first, ...others] = selections.filter(({ isEmpty }) => !isEmpty);
  if (first === undefined || others.length > 0) return `${name}, ${vscode.l10n.t('selections')}${ext}`;
  // A selection that ends at the start of a line doesn't include that line.
  const last = first.end.character === 0 ? first.end.line - 1 : first.end.line;
  const lines =
    first.start.line >= last
      ? vscode.l10n.t('line {0}', first.start.line + 1)
      : vscode.l10n.t('lines {0}-{1}', first.start.line + 1, last + 1);
  return `${name}, ${lines}${ext}`;
}
