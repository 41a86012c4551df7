import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { commands } from 'vscode';
import { checkFile } from '../../../src/tasks/sending/checkedSource';
import { isOpen } from '../../../src/tasks/trackedTask';
import { activated, type Parts } from '../../host/activated';
import { datasetName, type Order } from '../summary';
import { report } from './report';

/** Called by the extension host in place of tests: does what it is ordered to until it is killed. */
export async function run(): Promise<void> {
  const parts = await activated();
  const dataset = parts.datasets.find(datasetName);
  if (dataset === undefined) throw new Error('The dataset is not in the settings.');
  await parts.keys.set(dataset, 'kill-key-0123456789');
  for (;;) {
    const order = (await report('waiting')) as Order;
    await commands.executeCommand(order.isViewOpen ? 'datasetImport.tasks.focus' : 'workbench.view.explorer');
    await importAll(parts, order.folder);
    await report('queued');
    await untilEnded(parts, order.tasks);
    await report('ended');
  }
}

async function importAll({ queue }: Parts, folder: string): Promise<void> {
  const checked = await Promise.all(readdirSync(folder).map((name) => checkFile(join(folder, name), name)));
  await queue.add(checked, datasetName, { id: `${folder} ${process.pid}`, label: 'files' });
}

/** Asks the store for nothing: what other windows do must come in by the extension's own doing. */
function untilEnded({ list }: Parts, tasks: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (list.held.length < tasks || list.held.some(({ phase }) => isOpen(phase))) return;
      list.events.off('change', look);
      resolve();
    };
    list.events.on('change', look);
    look();
  });
}
