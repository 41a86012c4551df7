import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { type TaskId, taskIdText } from '../../src/service/json/taskId';
import type { ImportOutcome } from '../../src/tasks/store/model';
import type { Post } from './countingService';

export interface StoredImport {
  readonly id: number;
  readonly name: string;
  readonly outcome: ImportOutcome;
  /** The name of the error, if there was one. */
  readonly cause: string | null;
  readonly taskId: TaskId | null;
}

export interface Account {
  readonly accepted: number;
  readonly unconfirmed: number;
  /** Unconfirmed imports for which the service received no POST. */
  readonly withoutPost: number;
  readonly posts: number;
}

/** The latest import of each file in a folder. */
export function storedImports(storePath: string, folder: string): StoredImport[] {
  const db = new DatabaseSync(storePath, { timeout: 5000 });
  try {
    const select = `SELECT i.id, f.name, i.outcome, i.cause ->> 'name' AS cause, t.id AS taskId
      FROM files f JOIN imports i ON i.id = f.import LEFT JOIN tasks t ON t.import = i.id WHERE f.path LIKE ? || '%'`;
    return db.prepare(select).all(folder) as unknown as StoredImport[];
  } finally {
    db.close();
  }
}

export function haveEnded(imports: readonly StoredImport[]): boolean {
  return imports.every(({ outcome }) => outcome !== 'queued' && outcome !== 'sending');
}

/**
 * Asserts that imports and POSTs match: each accepted import has the ID from its own POST, and every other POST was
 * sent for an unconfirmed import.
 */
export function account(imports: readonly StoredImport[], posts: readonly Post[], files: number): Account {
  assert.equal(new Set(imports.map(({ name }) => name)).size, files);
  const accepted = imports.filter(({ outcome }) => outcome === 'accepted');
  const unconfirmed = imports.filter(
    ({ outcome, cause }) => outcome === 'unconfirmed' && (cause === 'WindowClosed' || cause === 'ConnectionLostError'),
  );
  assert.equal(accepted.length + unconfirmed.length, imports.length, 'an import is neither accepted nor unconfirmed');

  const unexplained = new Set(posts);
  for (const { taskId, name } of accepted) {
    const post = posts.find(({ id }) => id !== undefined && taskId !== null && id === taskIdText(taskId));
    assert.ok(post?.isWhole && post.isAnswered && post.file === name, `${name} has no POST of its own`);
    assert.ok(unexplained.delete(post), `${name} has the task ID of another file`);
  }
  const withoutPost = unconfirmed.filter(({ name }) => {
    const post = [...unexplained].find(({ file }) => file === name);
    return post === undefined || !unexplained.delete(post);
  });
  const named = [...unexplained].filter(({ file }) => file !== undefined);
  assert.deepEqual(named, [], 'some POSTs belong to no import');
  assert.ok(unexplained.size <= withoutPost.length, 'some incomplete POSTs belong to no import');
  return {
    accepted: accepted.length,
    unconfirmed: unconfirmed.length,
    withoutPost: withoutPost.length - unexplained.size,
    posts: posts.length,
  };
}
