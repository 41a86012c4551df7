import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { Uri } from 'vscode';
import {
  confirmBadFiles,
  confirmOutside,
  confirmRepeated,
  confirmSensitive,
} from '../../../../src/editor/importing/askBeforeImport';
import { UserError } from '../../../../src/editor/platform/userError';
import { asTracked } from '../../../../src/tasks/rows/taskRow';
import type { TaskState } from '../../../../src/tasks/trackedTask';
import { answered, fileSource } from '../../answeredTasks';

describe('Before an import', () => {
  it('nothing is asked where no file may hold secrets', async () => {
    const files = ['a.txt', 'b.txt'].map((relativePath) => ({ relativePath, isSensitive: false }));
    assert.equal(await confirmSensitive(files), files);
  });

  it('nothing is asked where no link and no list leads out of the workspace', async () => {
    const files = ['a.txt', 'b.txt'].map((relativePath) => ({ uri: Uri.file(`/w/${relativePath}`), relativePath }));
    assert.equal(await confirmOutside(files), files);
  });

  it('it is asked about files outside of the workspace, with where they are stored', async () => {
    const file = (path: string, outside?: string) => ({
      uri: Uri.file(path),
      relativePath: basename(path),
      ...(outside === undefined ? {} : { outside }),
    });
    const [listed, linked, own] = [file('/x/a.txt', '/x/a.txt'), file('/w/b.txt', '/x/c.txt'), file('/w/d.txt')];
    await assert.rejects(confirmOutside([listed]), /'a\.txt' is stored outside the workspace\. Import it anyway\?/);
    await assert.rejects(confirmOutside([own, linked]), /1 of 2 files is stored outside the workspace\./);
    await assert.rejects(confirmOutside([listed, linked]), /2 of 2 files are stored outside the workspace\./);
  });

  it('nothing is asked where all files can be imported', async () => {
    assert.equal(await confirmBadFiles(3, []), true);
  });

  it('nothing is asked where nothing was imported before', async () => {
    const checked = [{ source: fileSource('a.txt', 1) }];
    const nothing = { earlier: new Map(), running: new Map() };
    assert.equal(await confirmRepeated(checked, nothing, 'Manuals', 0), checked);
  });

  it('it is said that files were imported before, or only that they may have been where that is not certain', async () => {
    const checked = ['a.txt', 'b.txt'].map((name) => ({ source: fileSource(name, 1) }));
    const asked = (...states: TaskState[]) => {
      const earlier = states.map((state, key) => {
        const one = checked[key] ?? assert.fail();
        const facts = { dataset: 'Manuals', origin: undefined, createdMs: 0, taskId: undefined, taskCount: 0 };
        return [one, { key, ...facts, source: one.source, state }] as const;
      });
      return confirmRepeated(checked, { earlier: new Map(earlier), running: new Map() }, 'Manuals', 0);
    };
    await assert.rejects(asked('waiting'), /The content of 1 of 2 files was uploaded to Manuals before\./);
    await assert.rejects(asked('succeeded', 'unconfirmed'), /All 2 files may have been uploaded to Manuals before\./);
    await assert.rejects(asked('unconfirmed'), /1 of 2 files may have been uploaded to Manuals before\./);
  });

  it('it is asked about files whose tasks of an earlier import have not ended, together with what was imported before', async () => {
    const checked = ['a.txt', 'b.txt'].map((name) => ({ source: fileSource(name, 1) }));
    const [one = assert.fail(), two = assert.fail()] = checked;
    const running = answered({ dataset: 'Manuals', begun: '{"taskId":"1"}', found: '{"status":"RUNNING"}' });
    const asked = (all: number, ofThem: number, earlier = new Map()) => {
      const tasks = new Map(checked.slice(0, ofThem).map((each) => [each, asTracked(1, running)]));
      return confirmRepeated(checked.slice(0, all), { earlier, running: tasks }, 'Manuals', 0);
    };
    await assert.rejects(asked(1, 1), /'a\.txt' is still being processed by Manuals\. Import it again\?/);
    await assert.rejects(asked(2, 1), /1 of 2 files is still being processed by Manuals\./);
    await assert.rejects(asked(2, 2), /2 of 2 files are still being processed by Manuals\./);
    const facts = { dataset: 'Manuals', origin: undefined, createdMs: 0, taskId: undefined, taskCount: 0 };
    const earlier = new Map([[two, { key: 1, ...facts, source: one.source, state: 'succeeded' as const }]]);
    await assert.rejects(asked(2, 1, earlier), /All 2 files may have been uploaded to Manuals before\./);
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
