import assert from 'node:assert/strict';
import { type ThemeIcon, TreeItemCollapsibleState } from 'vscode';
import { type DestinationState, notWaiting } from '../../../../src/editor/taskItems/batchItem';
import { isBatchNode, isMoreNode, type TasksNode } from '../../../../src/editor/taskItems/tasksNode';
import { TasksTree } from '../../../../src/editor/tree/tasksTree';
import { type TaskId, typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type Batch, type NewTask, newTask, type Phase } from '../../../../src/tasks/trackedTask';
import { always, fileSource, type OwnList, ownList } from '../../answeredTasks';
import { untilEvent } from '../../settled';

const accepted = { phase: { kind: 'accepted', report: undefined } } as const;

describe('The tree of tasks', () => {
  let own: OwnList;
  let list: TaskList;
  let tree: TasksTree;
  let redrawn: (TasksNode[] | undefined)[];
  let now = 1_000;
  const destinations: DestinationState = {
    ...notWaiting,
    whyNotAsked: ({ dataset }) => (dataset === 'Gone' ? { kind: 'removed' } : undefined),
  };

  beforeEach(() => {
    own = ownList(() => now);
    list = own.list;
    tree = new TasksTree(list, () => now, destinations);
    redrawn = [];
    tree.onDidChangeTreeData((nodes) => redrawn.push(nodes));
  });

  afterEach(() => {
    tree.dispose();
    own.dispose();
  });

  it('reads the store when it is first looked at', async () => {
    await list.add([task('a.txt')]);
    const other = new TasksTree(own.listOfOtherWindow(), () => now, notWaiting);
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

  it('shows what a name hides, so that it can neither turn nor forge its row', async () => {
    const [added] = await list.add([task('gpj.\u202etxt\n.exe')]);
    const [node] = await tree.getChildren();
    assert.ok(added && node);
    await list.change(
      added.key,
      {
        phase: { kind: 'rejected', refusal: { by: 'status', status: 404, excerpt: 'a\u202eb' } },
      },
      always,
    );
    const item = await tree.getTreeItem(node);
    assert.equal(item.label, 'gpj.\\u202etxt\\n.exe');
    assert.match(String(item.description), /a\\u202eb/);
    const { tooltip } = await tree.resolveTreeItem(item, node);
    const texts = [item.description, item.accessibilityInformation?.label, tooltip && Object(tooltip).value];
    for (const text of texts) assert.doesNotMatch(String(text), /\u202e/);
  });

  it('keeps the node and the id of a task through all its changes', async () => {
    const [a] = await list.add([task('a.txt', 10)]);
    assert.ok(a);
    const [node] = await tree.getChildren();
    assert.ok(node);
    const { id } = await tree.getTreeItem(node);
    await list.add([task('b.txt', 20)]);
    await list.change(a.key, { phase: { kind: 'accepted', report: undefined }, taskId: '"1"' as TaskId }, always);
    const nodes = await tree.getChildren();
    assert.equal(nodes[1], node);
    assert.equal(tree.node(a.key), node);
    assert.equal((await tree.getTreeItem(node)).id, id);
    assert.match(String((await tree.getTreeItem(node)).description), /^accepted/);
    assert.equal(
      new Set((await Promise.all(nodes.map((each) => tree.getTreeItem(each)))).map((item) => item.id)).size,
      2,
    );
  });

  describe('redraws', () => {
    it('for a change the row of that task alone', async () => {
      const [, b] = await added('a.txt', 'b.txt');
      await list.change(b, accepted, always);
      await untilRedrawn(1);
      assert.deepEqual(redrawn, [[tree.node(b)]]);
      assert.equal(redrawn[0]?.[0], tree.node(b));
    });

    it('at once after a rest, and what changes within the rest together at its end, each row once', async () => {
      const [a, b, c] = await added('a.txt', 'b.txt', 'c.txt');
      await list.change(a, accepted, always);
      await untilRedrawn(1);
      assert.deepEqual(redrawn, [[tree.node(a)]]);
      await Promise.all([b, a, c, b].map((key) => list.change(key, accepted, always)));
      await untilRedrawn(2);
      assert.deepEqual(
        redrawn[1],
        [b, a, c].map((key) => tree.node(key)),
      );
    });

    it('as a whole when a task is added or removed', async () => {
      const [a] = await added({ ...task('a.txt'), ...accepted }, 'b.txt');
      await list.remove([a]);
      await untilRedrawn(1);
      assert.deepEqual(redrawn, [undefined]);
      await list.add([task('c.txt')]);
      await untilRedrawn(2);
      assert.deepEqual(redrawn, [undefined, undefined]);
      assert.deepEqual(await labels(), ['c.txt', 'b.txt']);
    });

    it('ages when it is told to', async () => {
      const [a] = await added('a.txt');
      await labels();
      now += 120_000;
      tree.redrawAll();
      await untilRedrawn(1);
      assert.deepEqual(redrawn, [[tree.node(a)]]);
      assert.match(String((await tree.getTreeItem(tree.node(a))).description), /2 min ago/);
    });
  });

  it('shows what another window adds, changes and removes', async () => {
    await list.loaded();
    const there = own.listOfOtherWindow();
    const [a] = await there.add([task('theirs.txt')]);
    assert.ok(a);
    await list.sync();
    assert.deepEqual(await labels(), ['theirs.txt']);
    await untilRedrawn(1);
    await there.change(a.key, accepted, always);
    await list.sync();
    await untilRedrawn(2);
    assert.deepEqual(redrawn[1], [tree.node(a.key)]);
    await there.remove([a.key]);
    await list.sync();
    await untilRedrawn(3);
    assert.deepEqual([redrawn[2], await labels()], [undefined, []]);
  });

  describe('with imports that were begun together', () => {
    const batch: Batch = { id: 'b-1', label: 'docs' };

    it('has one row for them, where the newest of them would be, with a row for each below it, in the order of their import', async () => {
      await list.add([task('old.txt', 10)]);
      await list.add(['1.txt', '2.txt', '3.txt'].map((name) => task(name, 20, batch)));
      await list.add([task('new.txt', 30)]);
      assert.deepEqual(await labels(), ['new.txt', 'docs', 'old.txt']);
      const [, node] = await tree.getChildren();
      assert.ok(node && isBatchNode(node));
      assert.equal((await tree.getTreeItem(node)).collapsibleState, TreeItemCollapsibleState.Expanded);
      assert.deepEqual(await labels(node), ['1.txt', '2.txt', '3.txt']);
    });

    it('redraws for a change of one the row of its batch with it, and the counts in that', async () => {
      const [a] = await added(task('1.txt', 20, batch), task('2.txt', 20, batch));
      const [node] = await tree.getChildren();
      assert.ok(node);
      await tree.getChildren(node);
      assert.match(String((await tree.getTreeItem(node)).description), /^importing 1 of 2 · /);
      await list.change(a, accepted, always);
      await untilRedrawn(1);
      assert.deepEqual(redrawn, [[tree.node(a), node]]);
      assert.equal(redrawn[0]?.[1], node);
      assert.match(String((await tree.getTreeItem(node)).description), /^importing 2 of 2 · /);
    });

    it('redraws the row of their batch only where it looks different or has other rows', async () => {
      const reported = (progress: number, status: 'running' | 'unknown' = 'running') => {
        const report = { status, meaning: status, progress, message: undefined, from: {} };
        return { phase: { kind: 'accepted', report }, taskId: typedTaskId('t', 'string') } as const;
      };
      const [a, b] = await added({ ...task('1.txt', 20, batch), ...reported(0) }, task('2.txt', 20, batch));
      const [node] = await tree.getChildren();
      assert.ok(node);
      await Promise.all([tree.getChildren(node), tree.getTreeItem(node)]);
      await list.change(a, reported(0.5), always);
      await untilRedrawn(1);
      list.setProgress(b, { sentBytes: 2, totalBytes: 8 });
      await untilRedrawn(2);
      assert.deepEqual(redrawn, [[tree.node(a)], [tree.node(b)]]);
      await list.change(a, reported(0.5, 'unknown'), always);
      const later = () => redrawn.slice(2).flat();
      await untilEvent(tree.onDidChangeTreeData, () => later().includes(node));
      assert.deepEqual(later(), [tree.node(a), node]);
    });

    it('has no row for a batch of which nothing is tracked any more', async () => {
      const tasks = await list.add(['1.txt', '2.txt'].map((name) => ({ ...task(name, 20, batch), ...accepted })));
      const [node] = await tree.getChildren();
      assert.ok(node);
      await list.remove(tasks.map(({ key }) => key));
      assert.deepEqual(await tree.getChildren(), []);
      assert.deepEqual(await tree.getChildren(node), []);
      assert.equal((await tree.getTreeItem(node)).label, '');
    });

    it('has those first that need the user, and the others in the order of their import', async () => {
      const [, , failed] = await list.add(['1.txt', '2.txt', '3.txt'].map((name) => task(name, 20, batch)));
      const phase = { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } } as const;
      await list.change(failed?.key ?? 0, { phase }, always);
      const [node] = await tree.getChildren();
      assert.deepEqual(await labels(node), ['3.txt', '1.txt', '2.txt']);
    });

    it('has a thousand of them in one row, and below it a page of them and a row that shows more', async () => {
      const many = Array.from({ length: 1000 }, (_, index) => task(`${index}.txt`, 20, batch, 'queued'));
      const keys = (await list.add(many)).map(({ key }) => key);
      const [node, ...more] = await tree.getChildren();
      assert.ok(node && more.length === 0);
      assert.match(String((await tree.getTreeItem(node)).description), /^importing 1 of 1,000 · /);
      const first = (count: number) => Array.from({ length: count }, (_, index) => `${index}.txt`);
      assert.deepEqual(await labels(node), [...first(200), 'Show More']);
      const last = (await tree.getChildren(node)).at(-1);
      assert.ok(isMoreNode(last));
      redrawn.length = 0;
      tree.showMore(last);
      await untilRedrawn(1);
      assert.deepEqual(redrawn, [[node]]);
      assert.deepEqual(await labels(node), [...first(400), 'Show More']);
      assert.ok(await tree.revealable(keys.at(-1) ?? 0));
      assert.deepEqual(await labels(node), [...first(400), '999.txt', 'Show More']);
    });
  });

  it('has a page of its first level, and a row that shows more of it', async () => {
    await list.add(Array.from({ length: 201 }, (_, index) => task(`${index}.txt`, index)));
    const rows = await tree.getChildren();
    const last = rows.at(-1);
    assert.ok(rows.length === 201 && isMoreNode(last));
    tree.showMore(last);
    assert.equal((await tree.getChildren()).length, 201);
    assert.equal((await labels()).at(-1), '0.txt');
  });

  it('says of files of one name in which folders they are, next to their state, for as long as both are there', async () => {
    const at = (folder: string) => {
      const source = { ...fileSource('index.md', 8), relativePath: `${folder}/index.md` };
      return { ...task('index.md'), ...accepted, source };
    };
    const [, other] = await list.add([at('guide'), at('api'), task('other.md')]);
    const described = async () =>
      Promise.all((await tree.getChildren()).map(async (node) => String((await tree.getTreeItem(node)).description)));
    const [first, second, third] = await described();
    assert.match(first ?? '', /^importing · just now/);
    assert.match(second ?? '', /^task ID not recognized · api · /);
    assert.match(third ?? '', /^task ID not recognized · guide · /);
    await list.remove([other?.key ?? 0]);
    assert.match((await described())[1] ?? '', /^task ID not recognized · just now/);
  });

  it('names the dataset of a task and of a batch where there are several alone', async () => {
    const isNamed = (dataset: string) => dataset !== 'Manuals';
    const alone = new TasksTree(list, () => now, { ...destinations, isNamed });
    await list.add([
      task('a.txt'),
      task('b.txt', 1, { id: 'b-1', label: 'docs' }),
      { ...task('c.txt'), dataset: 'Logs' },
    ]);
    const items = await Promise.all((await alone.getChildren()).map((node) => alone.getTreeItem(node)));
    assert.deepEqual(
      items.map(({ description }) => /· (\w+)$/.exec(String(description))?.[1]),
      ['Logs', undefined, undefined],
    );
    alone.dispose();
  });

  it('says of an unfinished task that it is not checked and why, in place of what was last known, and of a finished one nothing', async () => {
    const [a, b] = await list.add([
      { ...task('a.txt'), ...accepted, taskId: typedTaskId('t', 'string'), dataset: 'Gone' },
      {
        ...task('b.txt'),
        dataset: 'Gone',
        phase: { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } },
      },
    ]);
    assert.ok(a && b);
    const adrift = await tree.getTreeItem(tree.node(a.key));
    const ended = await tree.getTreeItem(tree.node(b.key));
    assert.match(String(adrift.description), /^not checked: dataset removed · just now · Gone$/);
    assert.equal((adrift.iconPath as ThemeIcon).id, 'eye-closed');
    assert.doesNotMatch(String(ended.description), /not checked/);
  });

  it('gives the details when a row is hovered over, and for a task that has gone nothing', async () => {
    const [a] = await list.add([{ ...task('a.txt'), ...accepted }]);
    assert.ok(a);
    const node = tree.node(a.key);
    const item = await tree.getTreeItem(node);
    assert.equal(item.tooltip, undefined);
    assert.ok((await tree.resolveTreeItem(item, node)).tooltip);
    await list.remove([a.key]);
    assert.equal((await tree.getTreeItem(node)).label, '');
  });

  async function labels(node?: TasksNode): Promise<unknown[]> {
    const items = await Promise.all((await tree.getChildren(node)).map((each) => tree.getTreeItem(each)));
    return items.map(({ label }) => label);
  }

  /** Adds tasks, and gives their keys once they are drawn and the rest after that is over. */
  async function added(...tasks: [NewTask | string, ...(NewTask | string)[]]): Promise<[number, number, number]> {
    const all = await own.listOfOtherWindow().add(tasks.map((each) => (typeof each === 'string' ? task(each) : each)));
    await list.loaded();
    tree.dispose();
    tree = new TasksTree(list, () => now, destinations);
    tree.onDidChangeTreeData((nodes) => redrawn.push(nodes));
    await tree.getChildren();
    redrawn.length = 0;
    return all.map(({ key }) => key) as [number, number, number];
  }

  function untilRedrawn(times: number): Promise<void> {
    return untilEvent(tree.onDidChangeTreeData, () => redrawn.length >= times);
  }

  function task(name: string, createdMs = 1, batch?: Batch, kind: 'queued' | 'sending' = 'sending'): NewTask {
    const phase: Phase = kind === 'queued' ? { kind } : { kind, attemptId: 'A 1' };
    return newTask({ dataset: 'Manuals', source: fileSource(name, 8), createdMs, batch, phase });
  }
});
