import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clearHistory } from '../../../../src/editor/taskCommands/register';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { LeaseState } from '../../../../src/tasks/leases/leases';
import { Sources } from '../../../../src/tasks/sending/sources';
import { newTask } from '../../../../src/tasks/trackedTask';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { ownList } from '../../answeredTasks';
import { until } from '../../until';

const IDLE: LeaseState = {
  held: new Map(),
  elsewhere: new Map(),
  heldUntilMs: 0,
  windows: new Set(),
  interrupted: [],
};

describe('Clearing old tasks', () => {
  it('removes old tasks, once this window serves a destination', async () => {
    const own = ownList();
    const report = { status: 'DONE', meaning: 'succeeded', progress: undefined, message: undefined, from: {} } as const;
    const old = { dataset: 'Manuals', createdMs: 0, checkedMs: 0, phase: { kind: 'accepted', report } } as const;
    const [task] = await own.list.add([newTask({ ...old, taskId: typedTaskId('T1', 'string') })]);
    const clearing = clearHistory({ ...own, sources: new Sources(own.folder, sharedFiles), clock: own.clock });
    const held = new Map([['Manuals', 0]]);
    own.serving.events.emit('turn', { ...IDLE, held });
    await until('the task to be removed', () => own.list.get(task?.key ?? 0) === undefined);
    clearing.dispose();
    own.dispose();
  });

  it('deletes texts that a crash has left behind', async () => {
    const own = ownList();
    await own.list.loaded();
    const folder = path.join(own.folder, 'texts');
    mkdirSync(folder);
    const left = path.join(folder, 'left');
    writeFileSync(left, 'draft');
    utimesSync(left, 0, 0);
    const clearing = clearHistory({ ...own, sources: new Sources(folder, sharedFiles), clock: own.clock });
    await until('the text to be deleted', () => !existsSync(left));
    clearing.dispose();
    own.dispose();
  });
});
