import type { TreeRow } from './treeView';
import { waitUntil } from './waitUntil';
import type { Workbench } from './workbench';

/** What shows after an import that succeeded. */
export interface SeenImport {
  readonly taskId: string;
  /** The rows of the Tasks view, as {@link spokenRow} gives them. */
  readonly lines: readonly string[];
}

const endsOtherwise = /failed|rejected|unconfirmed|not uploaded|not recognized/i;

/** Imports a file to the sandbox and reads its task ID. */
export async function importOnce(workbench: Workbench, fileName: string): Promise<SeenImport> {
  await workbench.openContainer('Dataset Import');
  await workbench.view('Datasets').waitForRow('Sandbox');
  await importFile(workbench, fileName);
  const view = workbench.view('Tasks');
  await view.chooseFor('Copy Task ID', fileName);
  const taskId = await waitUntil(
    'the task ID on the clipboard',
    async () => (await workbench.clipboard()) || undefined,
  );
  return { taskId, lines: (await view.rows()).map(spokenRow) };
}

/** A row in one line: its label and what a screen reader says after it. The state shows only as an icon otherwise. */
export function spokenRow({ label, spoken }: TreeRow): string {
  return `${label}  ${spoken}`;
}

/**
 * Right-clicks the file in the Explorer, chooses Import to Dataset…, and waits for its row in the Tasks view to succeed.
 * Throws, with the messages that show, if the import ends in any other way.
 */
export async function importFile(workbench: Workbench, fileName: string): Promise<TreeRow> {
  await workbench.explorer.chooseFor('Import to Dataset…', fileName);
  await workbench.openContainer('Dataset Import');
  const row = await workbench
    .view('Tasks')
    .waitForRow(fileName, ({ spoken }) => spoken.startsWith('succeeded') || endsOtherwise.test(spoken));
  if (row.spoken.startsWith('succeeded')) return row;
  const messages = await workbench.notifications.texts();
  throw new Error(`The import of ${fileName} ended as "${row.spoken}". Messages: ${messages.join(' | ') || 'none'}`);
}
