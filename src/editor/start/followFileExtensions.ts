import { Disposable, workspace } from 'vscode';
import { setContextKey } from '../platform/contextKeys';
import { offeredExtensions, onSettingChange } from '../platform/settings';

/** Updates the context key of the menus that import files from its setting. */
export function followFileExtensions(): Disposable {
  const update = () => void setContextKey('fileExtensions', inEitherCase(offeredExtensions()));
  update();
  return Disposable.from(onSettingChange('fileExtensions', update), workspace.onDidChangeWorkspaceFolders(update));
}

/** For `when` clauses, which compare file extensions case-sensitively. */
function inEitherCase(extensions: readonly string[]): string[] {
  return [...new Set(extensions.flatMap((extension) => [extension.toLowerCase(), extension.toUpperCase()]))];
}
