import assert from 'node:assert/strict';
import { collidingFolders } from '../../../../src/tasks/history/collidingFolders';
import type { TrackedTask } from '../../../../src/tasks/trackedTask';
import { trackedOf } from '../temporaryStore';

describe('The folders of tasks', () => {
  it('are those of files that are called the same and are not in the same folder', () => {
    const tasks = [
      file(1, 'a/index.md'),
      file(2, 'b/c/index.md'),
      file(3, 'a/other.md'),
      file(4, 'a/twice.md'),
      file(5, 'a/twice.md'),
      trackedOf(6, { source: undefined }),
    ];
    assert.deepEqual(
      [...collidingFolders(tasks)],
      [
        [1, 'a'],
        [2, 'b/c'],
      ],
    );
  });

  it('are whole outside of any folder of the workspace, and written with slashes everywhere', () => {
    const tasks = [file(1, 'notes.txt', 'C:\\Users\\me\\notes.txt'), file(2, 'docs\\notes.txt')];
    assert.deepEqual(
      [...collidingFolders(tasks)],
      [
        [1, 'C:/Users/me'],
        [2, 'docs'],
      ],
    );
  });

  it('are not those of texts that have none', () => {
    const text = { from: 'text', path: 'x.txt', relativePath: 'x.txt', name: 'x.txt', sizeBytes: 1 } as const;
    assert.deepEqual([...collidingFolders([file(1, 'a/x.txt'), trackedOf(2, { source: text })])], []);
  });

  function file(key: number, relativePath: string, path = `/work/${relativePath}`): TrackedTask {
    const name = relativePath.split(/[/\\]/).at(-1) ?? '';
    return trackedOf(key, { source: { from: 'disk', path, relativePath, name, sizeBytes: 1 } });
  }
});
