import { Disposable, workspace } from 'vscode';
import { setContextKey } from '../platform/contextKeys';
import { offeredExtensions, onSettingChange } from '../platform/settings';

/** Keeps the context key that shows Import to Dataset… in menus equal to its setting. */
export function followFileExtensions(): Disposable {
  const update = () => void setContextKey('fileExtensions', inEitherCase(offeredExtensions()));
  update();
  return Disposable.from(onSettingChange('fileExtensions', update), workspace.onDidChangeWorkspaceFolders(update));
}

/** `when` clauses compare file extensions case-sensitively. */
function inEitherCase(extensions: readonly string[]): string[] {
  return [...new Set(extensions.flatMap((extension) => [extension.toLowerCase(), extension.toUpperCase()]))];
}
