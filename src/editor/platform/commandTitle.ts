import { extensions } from 'vscode';

/** A title or a category; an object if VS Code isn't shown in English. */
type Localized = string | { readonly value: string };

/** The title of one of our commands in VS Code's language. The name is without the prefix `datasetImport.`. */
export function commandTitle(name: string): string {
  const contributed: readonly { readonly command: string; readonly title: Localized }[] | undefined =
    extensions.getExtension('dataset-import.dataset-import')?.packageJSON.contributes.commands;
  const title = contributed?.find(({ command }) => command === `datasetImport.${name}`)?.title;
  if (title === undefined) throw new Error(`No command is named ${name}.`);
  return typeof title === 'string' ? title : title.value;
}

/** A command's title without its ellipsis, for the dialogs that it shows and their buttons. */
export function dialogTitle(name: string): string {
  return commandTitle(name).replace(/(?:…|\.\.\.)$/, '');
}
