import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clearHistory } from '../../../../src/editor/following/register';
import { Sources } from '../../../../src/tasks/sending/sources';
import { systemClock } from '../../../../src/tasks/timing/clock';
import { ownList } from '../../answeredTasks';

describe('Clearing what is kept no longer', () => {
  it('deletes texts that a crash has left', async () => {
    const own = ownList();
    await own.list.loaded();
    const folder = path.join(own.folder, 'texts');
    mkdirSync(folder);
    const left = path.join(folder, 'left');
    writeFileSync(left, 'draft');
    utimesSync(left, 0, 0);
    const clearing = clearHistory({ ...own, sources: new Sources(folder), clock: systemClock });
    while (existsSync(left)) await delay(10);
    clearing.dispose();
    own.dispose();
  });
});
