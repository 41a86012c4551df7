import type { TreeRow } from './treeView';
import type { Workbench } from './workbench';

const unsuccessful = /failed|rejected|unconfirmed|not uploaded|not recognized/i;

/** A row's label and the rest of its accessible name, which includes the state. */
export function spokenRow({ label, spoken }: TreeRow): string {
  return `${label}  ${spoken}`;
}

/**
 * Imports a file from the Explorer and waits until its row in the Tasks view shows that it succeeded.
 * @throws Error with the visible messages if the import ends in a different state
 */
export async function importFile(workbench: Workbench, fileName: string): Promise<TreeRow> {
  await workbench.explorer.chooseFor('Import to Dataset…', fileName);
  await workbench.openContainer('Dataset Import');
  const row = await workbench
    .view('Tasks')
    .waitForRow(fileName, ({ spoken }) => spoken.startsWith('succeeded') || unsuccessful.test(spoken));
  if (row.spoken.startsWith('succeeded')) return row;
  const messages = await workbench.notifications.texts();
  throw new Error(`The import of ${fileName} ended as "${row.spoken}". Messages: ${messages.join(' | ') || 'none'}`);
}
