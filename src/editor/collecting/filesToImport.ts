import path from 'node:path';
import * as vscode from 'vscode';
import { commandTitle, dialogTitle } from '../platform/commandTitle';
import { formatCount } from '../platform/formatNumbers';
import type { UnsavedFiles } from '../platform/settings';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';

/** The files and folders of a menu. Without any, the file of the active editor, or what the user picks. */
export async function chosenFiles(clicked: readonly vscode.Uri[], ask = pickFiles): Promise<readonly vscode.Uri[]> {
  if (clicked.length > 0) return clicked;
  const active = activeFile();
  return active === undefined ? await ask() : [active];
}

/** Why a document that is generated cannot be imported. */
export function notAFile(uri: vscode.Uri): UserError {
  const name = path.posix.basename(uri.path);
  return new UserError(
    isOwnDocument(uri)
      ? vscode.l10n.t("'{0}' is a page of Dataset Import, not a file. To import a file, open it first.", name)
      : vscode.l10n.t("'{0}' is not a file. Save it as a file to import it.", name),
  );
}

/** Files for the dataset of this name, or for one that is chosen later; none where the user cancels. */
export async function pickFiles(dataset?: string): Promise<vscode.Uri[]> {
  const title = dataset === undefined ? dialogTitle('importFiles') : vscode.l10n.t("Import Files to '{0}'", dataset);
  const picked = await vscode.window.showOpenDialog({ title, openLabel: vscode.l10n.t('Import'), canSelectMany: true });
  return picked ?? [];
}

/** Folders for the dataset of this name, or for one that is chosen later; none where the user cancels. */
export async function pickFolders(dataset?: string): Promise<vscode.Uri[]> {
  const picked = await vscode.window.showOpenDialog({
    title: dataset === undefined ? commandTitle('importToDataset') : vscode.l10n.t("Import Folder to '{0}'", dataset),
    openLabel: vscode.l10n.t('Import'),
    canSelectFiles: false,
    canSelectFolders: true,
    canSelectMany: true,
  });
  return picked ?? [];
}

/** One file, for what the title says; none where the user cancels. */
export async function pickFileFor(title: string): Promise<vscode.Uri[]> {
  return (await vscode.window.showOpenDialog({ title, openLabel: vscode.l10n.t('Select') })) ?? [];
}

/**
 * The file of the active editor, or of the active tab where its file is too large for a text editor of the API. None
 * where the focus is on what is no file, such as a page of ours or the Output view.
 */
function activeFile(): vscode.Uri | undefined {
  const { activeTextEditor, tabGroups } = vscode.window;
  const input = tabGroups.activeTabGroup.activeTab?.input;
  const ofTab = input instanceof vscode.TabInputText ? input.uri : undefined;
  const uri = activeTextEditor?.document.uri ?? ofTab;
  return uri !== undefined && isImportable(uri) ? uri : undefined;
}

/** Whether an address is that of a document which this extension generates. */
export function isOwnDocument({ scheme }: vscode.Uri): boolean {
  return scheme.startsWith('dataset-import-');
}

function isImportable(uri: vscode.Uri): boolean {
  const { scheme } = uri;
  if (isOwnDocument(uri)) return false;
  return scheme === 'file' || scheme === 'untitled' || vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined;
}

/**
 * Saves files with unsaved changes, or leaves them, by the setting or the user's choice. Resolves to false where the
 * user cancels. @throws UserError where a file cannot be saved
 */
export async function confirmUnsaved(uris: readonly vscode.Uri[], setting: UnsavedFiles): Promise<boolean> {
  const dirty = dirtyFiles(new Set(uris.map(String)));
  if (dirty.length === 0) return true;
  const choice = setting === 'ask' ? await askAboutUnsaved(dirty) : setting;
  if (choice === 'save' && (await Promise.all(dirty.map(save))).includes(false)) {
    throw new UserError(vscode.l10n.t('Some files could not be saved, so nothing was imported.'));
  }
  return choice !== undefined;
}

/** The unsaved files in text editors, notebooks, custom editors and documents without a tab. */
function dirtyFiles(chosen: ReadonlySet<string>): readonly vscode.Uri[] {
  const documents = openDocuments().filter(({ isDirty, isUntitled }) => isDirty && !isUntitled);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ isDirty }) => isDirty);
  const uris = [...documents.map(({ uri }) => uri), ...tabs.flatMap(({ input }) => fileOf(input) ?? [])];
  const files = uris.filter((uri) => uri.scheme !== 'untitled' && chosen.has(uri.toString()));
  return [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
}

function openDocuments(): readonly (vscode.TextDocument | vscode.NotebookDocument)[] {
  return [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
}

/** The editable file of a tab. */
function fileOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff) return input.modified;
  const isEditor =
    input instanceof vscode.TabInputText ||
    input instanceof vscode.TabInputNotebook ||
    input instanceof vscode.TabInputCustom;
  return isEditor ? input.uri : undefined;
}

async function save(uri: vscode.Uri): Promise<boolean> {
  const document = openDocuments().find((open) => open.uri.toString() === uri.toString());
  return document === undefined ? (await vscode.workspace.save(uri)) !== undefined : await document.save();
}

async function askAboutUnsaved(dirty: readonly vscode.Uri[]): Promise<'save' | 'asOnDisk' | undefined> {
  const question =
    dirty.length === 1
      ? vscode.l10n.t("'{0}' has unsaved changes.", path.posix.basename(dirty[0]?.path ?? ''))
      : vscode.l10n.t('{0} files have unsaved changes.', formatCount(dirty.length));
  const save = vscode.l10n.t('Save and Import');
  const asOnDisk = vscode.l10n.t('Import Saved Version');
  const chosen = await window.showWarningMessage(question, { modal: true }, save, asOnDisk);
  return chosen === save ? 'save' : chosen === asOnDisk ? 'asOnDisk' : undefined;
}
