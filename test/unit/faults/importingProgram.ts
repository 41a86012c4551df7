// A program of its own: the extension host of a window that imports files, one after the other, until it is killed.
import { Http } from '../../../src/service/http/http';
import { ImportService } from '../../../src/service/importService';
import { checkFile } from '../../../src/tasks/sending/checkedSource';
import { makeTaskParts } from '../../../src/tasks/taskParts';
import { SETTINGS, target } from '../service/wire';

async function importFiles([folder = '', baseUrl = '', ...files]: readonly string[]): Promise<void> {
  const { queue } = makeTaskParts({
    folder,
    service: new ImportService(new Http(() => SETTINGS), () => process.send?.('answered')),
    findTarget: async () => target(new URL(baseUrl)),
    originOf: () => new URL(baseUrl).origin,
    allowed: () => 1,
    whyNotAsked: () => undefined,
    onError: console.error,
    onSetAside: () => {},
  });
  const checked = await Promise.all(files.map((file) => checkFile(file, file)));
  await queue.add(checked, 'Books');
}

void importFiles(process.argv.slice(2));
