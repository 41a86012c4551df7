import { posix } from 'node:path';
import * as vscode from 'vscode';
import { UserError } from '../platform/actions';
import { formatCount } from '../platform/format';
import type { UnsavedFiles } from '../platform/settings';
import { window } from '../platform/window';
import { storedPath } from './filePaths';

/**
 * Saves files with unsaved changes, or leaves them as they are, depending on the setting or the user's choice. `paths`
 * are stored paths. Resolves to false if the user cancels.
 * @throws UserError if a file can't be saved
 */
export async function confirmUnsaved(paths: readonly string[], setting: UnsavedFiles): Promise<boolean> {
  const dirty = await dirtyFiles(new Set(paths));
  if (dirty.length === 0) return true;
  const choice = setting === 'ask' ? await askAboutUnsaved(dirty) : setting;
  if (choice === 'save' && (await Promise.all(dirty.map(save))).includes(false))
    throw new UserError(vscode.l10n.t('Some files could not be saved, so nothing was imported.'));
  return choice !== undefined;
}

async function dirtyFiles(chosen: ReadonlySet<string>): Promise<readonly vscode.Uri[]> {
  const documents = openDocuments().filter(({ isDirty }) => isDirty);
  // Custom editors and very large files may have no `TextDocument`, so check the tabs as well.
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(({ isDirty }) => isDirty);
  const uris = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputText ? input.uri : [],
  );
  const files = new Map([...documents.map(({ uri }) => uri), ...uris].map((uri) => [uri.toString(), uri]));
  const stored = await Promise.all([...files.values()].map(storedPath));
  return [...files.values()].filter((_, index) => chosen.has(stored[index] ?? ''));
}

function openDocuments(): readonly (vscode.TextDocument | vscode.NotebookDocument)[] {
  return [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments];
}

async function save(uri: vscode.Uri): Promise<boolean> {
  const document = openDocuments().find((open) => open.uri.toString() === uri.toString());
  return document === undefined ? (await vscode.workspace.save(uri)) !== undefined : await document.save();
}

async function askAboutUnsaved(dirty: readonly vscode.Uri[]): Promise<'save' | 'asOnDisk' | undefined> {
  const question =
    dirty.length === 1
      ? vscode.l10n.t("'{0}' has unsaved changes.", posix.basename(dirty[0]?.path ?? ''))
      : vscode.l10n.t('{0} files have unsaved changes.', formatCount(dirty.length));
  const saveFirst = vscode.l10n.t('Save and Import');
  const asOnDisk = vscode.l10n.t('Import Saved Version');
  const chosen = await window.showWarningMessage(question, { modal: true }, saveFirst, asOnDisk);
  return chosen === saveFirst ? 'save' : chosen === asOnDisk ? 'asOnDisk' : undefined;
}
