import type { TreeRow } from './treeView';
import { waitUntil } from './waitUntil';
import type { Workbench } from './workbench';

/** What is to be seen after an import that succeeded. */
export interface SeenImport {
  readonly taskId: string;
  /** All rows of the view "Tasks". */
  readonly tasks: readonly TreeRow[];
}

const endsOtherwise = /failed|rejected|unconfirmed|not uploaded|not recognized/i;

/**
 * The main job, as a person does it: waits for the sandbox's dataset, right-clicks the file in the Explorer, chooses
 * "Import to Dataset…", and watches the tree until the task has succeeded. Throws where it ends in any other way.
 */
export async function importOnce(workbench: Workbench, fileName: string): Promise<SeenImport> {
  await workbench.openContainer('Dataset Import');
  await workbench.view('Datasets').waitForRow('Sandbox');
  await workbench.explorer.chooseFor('Import to Dataset…', fileName);
  await workbench.openContainer('Dataset Import');
  const view = workbench.view('Tasks');
  const ended = await view.waitForRow(
    fileName,
    ({ spoken }) => /succeeded/i.test(spoken) || endsOtherwise.test(spoken),
  );
  if (endsOtherwise.test(ended.spoken)) {
    const messages = await workbench.notifications.texts();
    throw new Error(
      `The import of ${fileName} ended as "${ended.spoken}". Messages: ${messages.join(' | ') || 'none'}`,
    );
  }
  await view.chooseFor('Copy Task ID', fileName);
  const taskId = await waitUntil(
    'the task id on the clipboard',
    async () => (await workbench.clipboard()) || undefined,
  );
  return { taskId, tasks: await view.rows() };
}
