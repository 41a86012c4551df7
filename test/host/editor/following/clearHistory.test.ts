import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clearHistory } from '../../../../src/editor/following/register';
import { Sources } from '../../../../src/tasks/sending/sources';
import { ownList } from '../../answeredTasks';
import { until } from '../../until';

describe('Clearing old tasks', () => {
  it('deletes texts that a crash has left behind', async () => {
    const own = ownList();
    await own.list.loaded();
    const folder = path.join(own.folder, 'texts');
    mkdirSync(folder);
    const left = path.join(folder, 'left');
    writeFileSync(left, 'draft');
    utimesSync(left, 0, 0);
    const clearing = clearHistory({ ...own, sources: new Sources(folder), clock: own.clock });
    await until('the text to be deleted', () => !existsSync(left));
    clearing.dispose();
    own.dispose();
  });
});
