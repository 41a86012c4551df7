import type { Disposable } from 'vscode';
import { setContextKey } from '../platform/contextKeys';
import { fileExtensions, onSettingChange } from '../platform/settings';

/** Updates the context key of the menus that import files from its setting. */
export function followFileExtensions(): Disposable {
  const update = () => void setContextKey('fileExtensions', inEitherCase(fileExtensions()));
  update();
  return onSettingChange('fileExtensions', update);
}

/** For `when` clauses, which compare file extensions case-sensitively. */
function inEitherCase(extensions: readonly string[]): string[] {
  return [...new Set(extensions.flatMap((extension) => [extension.toLowerCase(), extension.toUpperCase()]))];
}
