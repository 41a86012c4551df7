import type { TreeRow } from './treeView';
import type { Workbench } from './workbench';

const unsuccessful = /failed|rejected|unconfirmed|not uploaded|not recognized/i;

/**
 * Imports a file from the Explorer and waits until its row in the Tasks view has this state.
 * @throws Error with the visible messages if the import ends in a different state
 */
export async function importFile(workbench: Workbench, fileName: string, state = 'succeeded'): Promise<TreeRow> {
  await workbench.explorer.chooseFor('Import to Dataset…', fileName);
  await workbench.openContainer('Dataset Import');
  const row = await workbench
    .view('Tasks')
    .waitForRow(fileName, ({ spoken }) => spoken.startsWith(state) || unsuccessful.test(spoken));
  if (row.spoken.startsWith(state)) return row;
  const messages = await workbench.notifications.texts();
  throw new Error(`The import of ${fileName} ended as "${row.spoken}". Messages: ${messages.join(' | ') || 'none'}`);
}
