import assert from 'node:assert/strict';
import {
  confirmBadFiles,
  confirmOutside,
  confirmRepeated,
  confirmSensitive,
} from '../../../../src/editor/choosing/askBeforeImport';
import type { ChosenFile } from '../../../../src/editor/choosing/fileGroups';
import { UserError } from '../../../../src/editor/platform/userError';
import type { Standing } from '../../../../src/tasks/comparing/taskListMemory';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import type { TaskState } from '../../../../src/tasks/trackedTask';
import { answered, fileSource } from '../../answeredTasks';

const running = answered({ dataset: 'Manuals', begun: '{"taskId":"1"}', found: '{"status":"RUNNING"}' });

function chosen(standing: Standing): ChosenFile {
  const checked = { source: fileSource('a.txt', 1) };
  const unknown = { file: undefined, reviewed: undefined };
  return { relativePath: 'files/a.txt', sizeBytes: 1, standing, isSensitive: false, checked, ...unknown };
}

describe('Before an import', () => {
  it('it is asked about a file that may hold secrets, and about no other', async () => {
    assert.equal(await confirmSensitive({ relativePath: 'a.txt', isSensitive: false }), true);
    const asked = confirmSensitive({ relativePath: 'a.env', isSensitive: true });
    await assert.rejects(asked, /'a\.env' may contain secrets\. Import it anyway\?/);
  });

  it('it is asked about a file outside of the workspace, and about no other', async () => {
    assert.equal(await confirmOutside({ relativePath: 'd.txt' }), true);
    await assert.rejects(
      confirmOutside({ relativePath: 'a.txt', outside: '/x/c.txt' }),
      /'a\.txt' is stored outside the workspace\. Import it anyway\?/,
    );
  });

  it('nothing is asked where all files can be imported', async () => {
    assert.equal(await confirmBadFiles(3, []), true);
  });

  it('nothing is asked about a file that is new, has changed, or certainly did not get in', async () => {
    const failed = { kind: 'failed', task: asTracked(1, running), earlier: undefined } as const;
    for (const standing of [{ kind: 'new' }, { kind: 'changed' }, failed] as const)
      assert.equal(await confirmRepeated(chosen(standing), 'Manuals', 0), true);
  });

  it('it is said that a file was imported before, or only that it may have been where that is not certain', async () => {
    const asked = (state: TaskState) => {
      const facts = { dataset: 'Manuals', origin: undefined, createdMs: 0, taskId: undefined, taskCount: 0 };
      const earlier = { key: 1, ...facts, source: fileSource('a.txt', 1), state };
      return confirmRepeated(chosen({ kind: 'unchanged', earlier }), 'Manuals', 0);
    };
    await assert.rejects(asked('waiting'), /The content of 'a\.txt' was uploaded to Manuals before\./);
    await assert.rejects(asked('unconfirmed'), /'a\.txt' may have been uploaded to Manuals before\./);
    const open = confirmRepeated(chosen({ kind: 'open', task: asTracked(1, running) }), 'Manuals', 0);
    await assert.rejects(open, /'a\.txt' may have been uploaded to Manuals before\./);
  });

  it('it is asked about a file that has changed while its task runs', async () => {
    const asked = confirmRepeated(chosen({ kind: 'running', task: asTracked(1, running) }), 'Manuals', 0);
    await assert.rejects(asked, /'a\.txt' is still being processed by Manuals\. Import it again\?/);
  });

  it('it is said what is wrong with each file, of many with the first ten, where none can be imported', async () => {
    await assert.rejects(confirmBadFiles(0, ["'a.txt' is empty."]), (error) => {
      assert.ok(error instanceof UserError);
      assert.equal(error.message, "Nothing was imported. 'a.txt' is empty.");
      return true;
    });
    const bad = Array.from({ length: 13 }, (_, index) => `'${index}.txt' is empty.`);
    await assert.rejects(confirmBadFiles(0, bad), /'0\.txt' is empty\. .*'9\.txt' is empty\. … and 3 more$/);
  });
});
