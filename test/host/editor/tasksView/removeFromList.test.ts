import assert from 'node:assert/strict';
import { clearSucceeded, removeFromList } from '../../../../src/editor/tasksView/rowCommands';
import type { State } from '../../../../src/tasks/store/model';
import { beforeEachUploads, own, uploads } from '../importing/uploads';

describe('In the Tasks view,', () => {
  beforeEachUploads('removing');

  it('Remove from List can be undone with a button in its message, and fails if the row is no longer in the list', async () => {
    await inStates('rejected', 'succeeded');
    const filter = { files: [(await own.row('rejected.txt')).id] };
    await removeFromList(uploads.services, filter);
    assert.deepEqual(await listed(), ['succeeded.txt succeeded']);
    assert.equal(message(), "Removed 'rejected.txt' from the list. Nothing is deleted on the service.");
    const none = { name: 'UserError', message: 'There are no tasks to which this command applies.' };
    await assert.rejects(removeFromList(uploads.services, filter), none);
    await undo();
    assert.deepEqual(await listed(), ['rejected.txt rejected', 'succeeded.txt succeeded']);
    await assert.rejects(undo(), { name: 'UserError', message: 'There is nothing left to restore.' });
  });

  it('Remove from List cancels queued imports, skips files that are being uploaded, and reports both', async () => {
    await inStates('queued', 'sending', 'running', 'unconfirmed', 'succeeded');
    await removeFromList(uploads.services, {});
    assert.deepEqual(await listed(), ['sending.txt sending']);
    assert.equal(
      message(),
      [
        'Removed from the list: 4. Nothing is deleted on the service. Canceled imports: 1. Tasks no longer tracked: 1.',
        'Still uploading, so not removed: 1.',
      ].join(' '),
    );
    await undo();
    assert.ok((await listed()).includes('queued.txt notUploaded'));
  });

  it('Remove from List fails if the only selected file is being uploaded', async () => {
    await inStates('sending');
    const removing = removeFromList(uploads.services, { files: [(await own.row('sending.txt')).id] });
    const text = "'sending.txt' is still being uploaded. Cancel the import first, or wait until it ends.";
    await assert.rejects(removing, { name: 'UserError', message: text });
    assert.deepEqual(uploads.shown, []);
  });

  it('Clear Succeeded Tasks removes only succeeded tasks that match the filter', async () => {
    await inStates('succeeded', 'failed', 'uploaded');
    await own.inState('succeeded', 'other.txt');
    await clearSucceeded(uploads.services, { text: 'other' });
    assert.deepEqual(await listed(), ['failed.txt failed', 'succeeded.txt succeeded', 'uploaded.txt uploaded']);
    await clearSucceeded(uploads.services);
    assert.deepEqual(await listed(), ['failed.txt failed', 'uploaded.txt uploaded']);
    await undo();
    assert.deepEqual(await listed(), ['failed.txt failed', 'succeeded.txt succeeded', 'uploaded.txt uploaded']);
    const none = clearSucceeded(uploads.services, { states: ['failed'] });
    await assert.rejects(none, { name: 'UserError', message: 'There are no tasks to which this command applies.' });
  });

  async function inStates(...states: readonly State[]): Promise<void> {
    for (const state of states) await own.inState(state);
  }

  async function listed(): Promise<string[]> {
    return (await uploads.rows()).map(({ name, state }) => `${name} ${state}`);
  }

  function message(): string | undefined {
    return uploads.shown.at(-1)?.message;
  }

  async function undo(): Promise<void> {
    const [action] = uploads.shown.at(-1)?.actions ?? [];
    assert.equal(action?.label, 'Undo');
    await action.run();
  }
});
