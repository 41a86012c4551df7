import { Disposable, window } from 'vscode';
import { listen } from '../platform/listen';
import { decorations, onSettingChange } from '../platform/settings';
import { type DecoratingServices, FileDecorations } from './fileDecorations';

/**
 * Decorates files as soon as there is a task database, unless the setting says that none are. `storeExists` is whether there
 * is one, since reading would create one; it is read when VS Code first asks about a file.
 */
export function registerDecorating(
  services: DecoratingServices,
  storeExists: () => boolean,
  register = window.registerFileDecorationProvider,
): Disposable {
  let registered: Disposable | undefined;
  const end = () => {
    registered?.dispose();
    registered = undefined;
  };
  const begin = () => {
    if (registered !== undefined || decorations() === 'none' || !storeExists()) return;
    const provider = new FileDecorations(services);
    registered = Disposable.from(register(provider), provider);
  };
  begin();
  return Disposable.from(
    // VS Code asks a new provider about all that it shows.
    onSettingChange('decorations', () => {
      end();
      begin();
    }),
    listen(services.list.events, 'change', begin),
    new Disposable(end),
  );
}
