import path from 'node:path';
import * as vscode from 'vscode';
import { SourceError } from '../service/errors';
import type { CheckedFile, Importer } from '../tasks/importer';
import { UserError } from './userError';
import { sourceWords } from './words';

/**
 * The files that a command was given by a menu (the clicked one, and all that are selected), or the active editor's,
 * or those that the user picks.
 */
export async function chosenFiles(target: unknown, selected: unknown): Promise<vscode.Uri[]> {
  if (target instanceof vscode.Uri) {
    const uris = Array.isArray(selected) ? selected.filter((uri) => uri instanceof vscode.Uri) : [];
    return uris.some((uri) => uri.toString() === target.toString()) ? uris : [target];
  }
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active !== undefined && (active.scheme === 'file' || active.scheme === 'untitled')) return [active];
  const title = vscode.l10n.t('Import File');
  const picked = await vscode.window.showOpenDialog({ title, openLabel: vscode.l10n.t('Import'), canSelectMany: true });
  return picked ?? [];
}

/**
 * Settles what is to be imported of files with unsaved changes: saves them, or leaves them as they are on disk.
 * Undefined where the user would rather not import. @throws UserError for what is not a file on disk
 */
export async function settleUnsaved(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[] | undefined> {
  const elsewhere = uris.find((uri) => uri.scheme !== 'file');
  if (elsewhere !== undefined) {
    const name = path.posix.basename(elsewhere.path);
    throw new UserError(vscode.l10n.t("'{0}' is not a file on disk. Save it as a file, then import that.", name));
  }
  const chosen = new Set(uris.map(String));
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && chosen.has(uri.toString()));
  const [first] = dirty;
  if (first === undefined) return uris;
  const question =
    dirty.length === 1
      ? vscode.l10n.t("'{0}' has unsaved changes.", path.basename(first.fileName))
      : vscode.l10n.t('{0} of the files have unsaved changes.', dirty.length);
  const save = vscode.l10n.t('Save and Import');
  const asOnDisk = vscode.l10n.t('Import as on Disk');
  const answer = await vscode.window.showWarningMessage(question, { modal: true }, save, asOnDisk);
  if (answer === undefined) return undefined;
  if (answer === save && (await Promise.all(dirty.map((document) => document.save()))).includes(false)) {
    throw new UserError(vscode.l10n.t('Not all files could be saved, so nothing was imported.'));
  }
  return uris;
}

/**
 * Looks at every file before anything is sent. Where some cannot be imported, asks whether to go on with the others.
 * @throws UserError where none can be imported
 */
export async function importableFiles(importer: Importer, uris: readonly vscode.Uri[]): Promise<CheckedFile[]> {
  const looks = await Promise.all(
    uris.map((uri) =>
      importer.check(uri.fsPath, vscode.workspace.asRelativePath(uri, false)).catch((error: unknown) => {
        if (error instanceof SourceError) return error;
        throw error;
      }),
    ),
  );
  const good = looks.flatMap((look) => (look instanceof SourceError ? [] : [look]));
  const bad = looks.flatMap((look) => (look instanceof SourceError ? [sourceWords(look)] : []));
  if (bad.length === 0) return good;
  const shown = bad.slice(0, 10).join('\n') + (bad.length > 10 ? `\n… (${bad.length})` : '');
  if (good.length === 0) throw new UserError(vscode.l10n.t('Nothing was imported. {0}', shown.replaceAll('\n', ' ')));
  const question = vscode.l10n.t('{0} of {1} files cannot be imported.', bad.length, looks.length);
  const goOn =
    good.length === 1 ? vscode.l10n.t('Import the Other One') : vscode.l10n.t('Import the Other {0}', good.length);
  const answer = await vscode.window.showWarningMessage(question, { modal: true, detail: shown }, goOn);
  return answer === goOn ? good : [];
}
