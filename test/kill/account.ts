import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { taskIdText } from '../../src/service/json/taskId';
import { readRow } from '../../src/tasks/rows/taskRow';
import { isOpen, type TrackedTask } from '../../src/tasks/trackedTask';
import type { Post } from './countingService';

/** How the imports of some files stand in the store, beside what the service saw. */
export interface Account {
  readonly accepted: number;
  /** What a window was sending when it was killed. */
  readonly unconfirmed: number;
  /** Of these, what had not reached the service. */
  readonly withoutPost: number;
  readonly posts: number;
}

/** The tasks in the store whose files stand in the folder. */
export function storedTasks(storePath: string, folder: string): TrackedTask[] {
  const db = new DatabaseSync(storePath, { timeout: 5000 });
  try {
    const tasks = db.prepare('SELECT * FROM tasks').all().map(readRow);
    return tasks.filter(({ source }) => source?.path.startsWith(folder));
  } finally {
    db.close();
  }
}

/** Whether no import waits to be sent, or is being sent. */
export function haveEnded(tasks: readonly TrackedTask[]): boolean {
  return !tasks.some(({ phase }) => isOpen(phase));
}

/**
 * Holds the records of imports against the POSTs: as many of each file as it was imported, each accepted one with the
 * id that its own POST was given, and every other POST belongs to an import that is called unconfirmed.
 */
export function account(tasks: readonly TrackedTask[], posts: readonly Post[], files: number, times: number): Account {
  const byFile = Map.groupBy(tasks, ({ source }) => source?.name);
  assert.deepEqual([byFile.size, new Set([...byFile.values()].map(({ length }) => length))], [files, new Set([times])]);
  const accepted = tasks.filter(({ phase }) => phase.kind === 'accepted');
  const unconfirmed = tasks.filter(
    ({ phase }) => phase.kind === 'unconfirmed' && ['WindowClosed', 'ConnectionLostError'].includes(phase.failure.name),
  );
  assert.equal(accepted.length + unconfirmed.length, tasks.length, 'an import ended as neither');

  const unexplained = new Set(posts);
  for (const { taskId, source } of accepted) {
    const post = posts.find(({ id }) => id !== undefined && taskId !== undefined && id === taskIdText(taskId));
    assert.ok(post?.isWhole && post.isAnswered && post.file === source?.name, `${source?.name} has no POST of its own`);
    assert.ok(unexplained.delete(post), `${source?.name} has the id of another one`);
  }
  const withoutPost = unconfirmed.filter(({ source }) => {
    const post = [...unexplained].find(({ file }) => file === source?.name);
    return post === undefined || !unexplained.delete(post);
  });
  const named = [...unexplained].filter(({ file }) => file !== undefined);
  assert.deepEqual(named, [], 'files were sent that nothing accounts for');
  assert.ok(unexplained.size <= withoutPost.length, 'requests began that nothing accounts for');
  return {
    accepted: accepted.length,
    unconfirmed: unconfirmed.length,
    withoutPost: withoutPost.length - unexplained.size,
    posts: posts.length,
  };
}
