import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTaskNode, type TaskNode, TasksTree } from '../../src/editor/tasksTree';
import type { TaskId } from '../../src/service/taskId';
import { SqliteFile } from '../../src/tasks/sqliteFile';
import { TaskList } from '../../src/tasks/taskList';
import { TASK_MIGRATIONS, TaskStore } from '../../src/tasks/taskStore';
import { type NewTask, newTask } from '../../src/tasks/trackedTask';

describe('The tree of tasks', () => {
  let folder: string;
  let file: SqliteFile;
  let list: TaskList;
  let tree: TasksTree;
  let redrawn: (TaskNode[] | undefined)[];
  let now = 1_000;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'di-tree-'));
    file = open();
    list = new TaskList(new TaskStore(file, () => now));
    tree = new TasksTree(list, () => now);
    redrawn = [];
    tree.onDidChangeTreeData((nodes) => redrawn.push(nodes));
  });

  afterEach(() => {
    tree.dispose();
    file.close();
    rmSync(folder, { recursive: true });
  });

  it('reads the store when it is first looked at', async () => {
    await list.add([task('a.txt')]);
    const other = new TasksTree(new TaskList(new TaskStore(file, () => now)), () => now);
    assert.equal((await other.getChildren()).length, 1);
    other.dispose();
  });

  it('has the newest task first, and of those of one moment the last added', async () => {
    for (const [name, createdMs] of [
      ['old', 10],
      ['new', 30],
      ['twin', 30],
      ['middle', 20],
    ] as const) {
      await list.add([task(name, createdMs)]);
    }
    assert.deepEqual(await labels(), ['twin', 'new', 'middle', 'old']);
  });

  it('has no rows below a task, and no row above it', async () => {
    await list.add([task('a.txt')]);
    const [node] = await tree.getChildren();
    assert.ok(node);
    assert.deepEqual(await tree.getChildren(node), []);
    assert.equal(tree.getParent(), undefined);
  });

  it('keeps the node and the id of a task through all its changes', async () => {
    const [a] = await list.add([task('a.txt', 10)]);
    assert.ok(a);
    const [node] = await tree.getChildren();
    assert.ok(node);
    const { id } = tree.getTreeItem(node);
    await list.add([task('b.txt', 20)]);
    await list.change(a.key, { phase: { kind: 'accepted', report: undefined }, taskId: '"1"' as TaskId });
    const nodes = await tree.getChildren();
    assert.equal(nodes[1], node);
    assert.equal(tree.node(a.key), node);
    assert.equal(tree.getTreeItem(node).id, id);
    assert.match(String(tree.getTreeItem(node).description), /^accepted/);
    assert.equal(new Set(nodes.map((each) => tree.getTreeItem(each).id)).size, 2);
  });

  it('redraws for a change the row of that task alone', async () => {
    const [a, b] = await list.add([task('a.txt'), task('b.txt')]);
    assert.ok(a && b);
    await tree.getChildren();
    redrawn.length = 0;
    await list.change(b.key, { phase: { kind: 'accepted', report: undefined } });
    assert.deepEqual(redrawn, [[tree.node(b.key)]]);
    assert.equal(redrawn[0]?.[0], tree.node(b.key));
  });

  it('redraws as a whole when a task is added or removed', async () => {
    const [a] = await list.add([task('a.txt'), task('b.txt')]);
    assert.ok(a);
    assert.deepEqual(redrawn, [undefined]);
    await list.remove([a.key]);
    assert.deepEqual(redrawn, [undefined, undefined]);
    assert.deepEqual(await labels(), ['b.txt']);
  });

  it('shows what another window adds, changes and removes', async () => {
    await list.loaded();
    const other = open();
    const there = new TaskList(new TaskStore(other, () => now));
    const [a] = await there.add([task('theirs.txt')]);
    assert.ok(a);
    await list.sync();
    assert.deepEqual(await labels(), ['theirs.txt']);
    redrawn.length = 0;
    await there.change(a.key, { phase: { kind: 'accepted', report: undefined } });
    await list.sync();
    assert.deepEqual(redrawn, [[tree.node(a.key)]]);
    await there.remove([a.key]);
    await list.sync();
    assert.deepEqual([redrawn.at(-1), await labels()], [undefined, []]);
    other.close();
  });

  it('shows by the percent how far a file has left', async () => {
    const [a] = await list.add([task('a.txt')]);
    assert.ok(a);
    list.setProgress(a.key, { sentBytes: 250, totalBytes: 1000 });
    assert.match(String(tree.getTreeItem(tree.node(a.key)).description), /^sending 25 %/);
  });

  it('gives the details when a row is hovered over, and for a task that has gone nothing', async () => {
    const [a] = await list.add([task('a.txt')]);
    assert.ok(a);
    const node = tree.node(a.key);
    const item = tree.getTreeItem(node);
    assert.equal(item.tooltip, undefined);
    assert.ok(tree.resolveTreeItem(item, node).tooltip);
    await list.remove([a.key]);
    assert.equal(tree.getTreeItem(node).label, '');
  });

  it('redraws ages when it is told to', async () => {
    const [a] = await list.add([task('a.txt', now)]);
    assert.ok(a);
    now += 120_000;
    redrawn.length = 0;
    tree.redrawAll();
    assert.deepEqual(redrawn, [undefined]);
    assert.match(String(tree.getTreeItem(tree.node(a.key)).description), /2 min ago/);
  });

  it('is still once disposed of', async () => {
    tree.dispose();
    await list.add([task('a.txt')]);
    assert.deepEqual(redrawn, []);
    assert.equal(list.events.listenerCount('change'), 0);
  });

  it('knows its own rows from whatever else a command may be given', () => {
    assert.equal(isTaskNode({ taskKey: 3 }), true);
    for (const value of [undefined, null, 3, 'x', {}, { taskKey: '3' }, { dataset: {} }]) {
      assert.equal(isTaskNode(value), false);
    }
  });

  function open(): SqliteFile {
    return new SqliteFile(join(folder, 'tasks.sqlite'), TASK_MIGRATIONS, () => assert.fail('the store was set aside'));
  }

  async function labels(): Promise<unknown[]> {
    return (await tree.getChildren()).map((node) => tree.getTreeItem(node).label);
  }

  function task(name: string, createdMs = 1): NewTask {
    return newTask({
      dataset: 'Manuals',
      source: { path: join(folder, name), name, sizeBytes: 8 },
      createdMs,
      phase: { kind: 'sending' },
    });
  }
});
