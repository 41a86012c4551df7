import assert from 'node:assert/strict';
import path from 'node:path';
import { type ThemeIcon, TreeItemCollapsibleState } from 'vscode';
import { filtersOf } from '../../../../src/editor/tasksView/chooseRows';
import type { Arrangement, GroupNode, TasksNode } from '../../../../src/editor/tasksView/shownRows';
import { TasksView } from '../../../../src/editor/tasksView/tasksView';
import type { WhyWaits } from '../../../../src/editor/wording/causes';
import { STATES } from '../../../../src/tasks/store/model';
import { HandClock } from '../../../unit/tasks/handClock';
import { OwnImportStore } from '../../ownImportStore';
import { untilEvent } from '../../settled';
import { until } from '../../until';

const BY_BATCH: Arrangement = { groupBy: 'batch', filter: undefined, filterName: '' };

describe('The Tasks view', () => {
  let own: OwnImportStore;
  let tree: TasksView;
  let clock: HandClock;
  let fired: (TasksNode[] | undefined)[];
  const view: { message?: string } = {};
  let fault: Error | undefined;
  const progress = new Map<number, number>();
  let why: WhyWaits | undefined;

  beforeEach(() => {
    own = new OwnImportStore();
    clock = new HandClock();
    fired = [];
    view.message = '';
    why = undefined;
    fault = undefined;
    progress.clear();
    tree = treeOf(BY_BATCH);
  });

  afterEach(async () => {
    tree.dispose();
    await own[Symbol.asyncDispose]();
  });

  function treeOf(arrangement: Arrangement): TasksView {
    const destinations = async () => {
      if (fault !== undefined) throw fault;
      return own.store.destinations(null);
    };
    const store = Object.assign(Object.create(own.store), { destinations });
    const made = new TasksView({ store, clock, view, whyWaits: () => why, progress: () => progress }, arrangement);
    made.onDidChangeTreeData((nodes) => fired.push(nodes));
    return made;
  }

  /** Draws one level of the tree as VS Code would, and returns its items' labels and descriptions. */
  async function drawn(parent?: TasksNode): Promise<string[]> {
    const nodes = await tree.getChildren(parent);
    return nodes.map((node) => {
      const { label, description } = tree.getTreeItem(node);
      return [label, description ?? ''].join(' | ');
    });
  }

  async function labels(parent?: TasksNode): Promise<string[]> {
    return (await tree.getChildren(parent)).map((node) => String(tree.getTreeItem(node).label));
  }

  async function group(at = 0): Promise<GroupNode> {
    const groups = (await tree.getChildren()).filter((node): node is GroupNode => 'group' in node);
    return groups[at] ?? assert.fail('no group');
  }

  /** Refreshes until a change event fires, draws the changed nodes, and returns the nodes from each event. */
  async function announced(): Promise<(TasksNode[] | undefined)[]> {
    const before = fired.length;
    tree.refresh();
    await until('the tree to announce a change', () => {
      clock.advance(400);
      return fired.length > before;
    });
    const changes = fired.slice(before);
    // VS Code also requests the tree items for changed nodes.
    for (const node of changes.flatMap((nodes) => nodes ?? [])) tree.getTreeItem(node);
    return changes;
  }

  it('lists batches and individual files together, with problems first and the rest from newest to oldest', async () => {
    await own.inState('succeeded', 'single.txt');
    await own.inState('failed', 'failed.txt');
    for (const id of await own.queue(['a/1.txt', 'a/2.txt'])) await own.accept(id, `task ${id}`);
    assert.deepEqual((await labels()).toSorted(), ['failed.txt', 'notes', 'single.txt']);
    assert.equal((await labels())[0], 'failed.txt');
  });

  it('lists a batch that is being uploaded before older problems', async () => {
    await own.inState('failed', 'failed.txt');
    const failedMs = Date.now();
    await until('the next millisecond', () => Date.now() > failedMs);
    await own.queue(['a/1.txt', 'a/2.txt']);
    assert.deepEqual(await labels(), ['notes', 'failed.txt']);
  });

  it("uses the same state names in a batch's counts as in its rows", async () => {
    const [one = 0, two = 0] = await own.queue(['1.txt', '2.txt', '3.txt']);
    await own.reject(one);
    await own.accept(two, 'task');
    const node = await group();
    const item = tree.getTreeItem(node);
    assert.equal(item.description, 'rejected: 1 · queued: 1 · uploaded: 1 · just now');
    assert.equal(item.collapsibleState, TreeItemCollapsibleState.Expanded);
    assert.equal(item.contextValue, 'batch;cancelImport;retryFailed;refreshStatus;inlineCancelImport;');
    why = { reason: 'badKey', untilMs: null };
    assert.match(tree.getTreeItem(node).contextValue ?? '', /^batch;setAccessKey;tryNow;.*;inlineSetAccessKey;$/);
    why = undefined;
    assert.deepEqual(await drawn(node), [
      '1.txt | rejected · code 42: No such dataset',
      '3.txt | queued',
      '2.txt | uploaded',
    ]);
  });

  it("sorts a batch's files by state, then by name in natural order", async () => {
    const [s10 = 0, s2 = 0] = await own.queue(['s10.txt', 's2.txt', 's1.txt', 'S3.txt']);
    const node = await group();
    assert.deepEqual(await labels(node), ['s1.txt', 's2.txt', 'S3.txt', 's10.txt']);
    await own.reject(s10);
    await announced();
    assert.deepEqual(await labels(node), ['s10.txt', 's1.txt', 's2.txt', 'S3.txt']);
    // The rejected file is queued again and another file is rejected, so the batch's counts stay the same.
    await own.queue(['s10.txt'], { file: { seen: s10 } });
    await own.reject(s2);
    await announced();
    assert.deepEqual(await labels(node), ['s2.txt', 's1.txt', 'S3.txt', 's10.txt']);
  });

  it("shows a file's folder, relative to the batch, only if another file has the same name", async () => {
    const names = ['guide/FAQ.md', 'api/FAQ.md', 'FAQ.md', 'guide/intro.md'].map((name) => `docs/${name}`);
    await own.queue(names, { batch: { label: 'docs', folder: '/notes/docs' } });
    assert.deepEqual(await drawn(await group()), [
      'FAQ.md | api · queued',
      'FAQ.md | ./ · queued',
      'FAQ.md | guide · queued',
      'intro.md | queued',
    ]);
    tree.arrange({ ...BY_BATCH, groupBy: 'state' });
    assert.ok((await drawn(await group())).includes('FAQ.md | docs · queued · just now'));
  });

  it("shows a batch's folder if another batch has the same name", async () => {
    for (const folder of ['/one/docs', '/two/docs', '/notes'])
      await own.queue(
        ['1', '2'].map((name) => `${folder.slice(1)}/${name}.txt`),
        { batch: { label: path.posix.basename(folder), folder } },
      );
    assert.deepEqual((await drawn()).toSorted(), [
      'docs | /one/docs · queued: 2 · just now',
      'docs | /two/docs · queued: 2 · just now',
      'notes | queued: 2 · just now',
    ]);
  });

  it("shows each row's dataset if there are multiple datasets, and the age of each row that isn't in a batch", async () => {
    await own.queue(['a.txt']);
    assert.deepEqual(await drawn(), ['a.txt | queued · just now']);
    await own.queue(['b.txt'], { destination: { dataset: 'Logs', origin: 'https://logs.example' } });
    await announced();
    const rows = await drawn();
    assert.deepEqual(rows.toSorted(), ['a.txt | queued · just now · Manuals', 'b.txt | queued · just now · Logs']);
  });

  it('shows 200 rows per page, and rereads all shown pages when the user clicks Show More', async () => {
    const names = Array.from({ length: 450 }, (_, index) => `${index}.txt`);
    const imports = await own.queue(names);
    const node = await group();
    assert.match(String(tree.getTreeItem(node).description), /^queued: 450 · /);
    assert.equal(tree.getTreeItem(node).collapsibleState, TreeItemCollapsibleState.Collapsed);
    const first = await labels(node);
    assert.deepEqual([first.length, first[0], first[199], first[200]], [201, '0.txt', '199.txt', 'Show More']);
    await own.reject(imports[449] ?? 0);
    const more = (await tree.getChildren(node)).at(-1);
    assert.ok(more && 'moreOf' in more);
    fired.length = 0;
    tree.showMore(more);
    await until('the next page', () => fired.flat().includes(node));
    const second = await labels(node);
    assert.deepEqual([second.length, second[0], second.at(-1)], [401, '449.txt', 'Show More']);
    assert.equal(new Set(second).size, second.length);
  });

  it('shows the newest individual files on the first page', async () => {
    for (let index = 0; index < 201; index++) await own.queue([`${index}.txt`]);
    const first = await labels();
    assert.deepEqual([first.length, first[0], first[199], first[200]], [201, '200.txt', '1.txt', 'Show More']);
  });

  it("keeps a row's tree item and ID when the row's state changes", async () => {
    const [id = 0] = await own.queue(['a.txt']);
    const [node = assert.fail()] = await tree.getChildren();
    const before = tree.getTreeItem(node).id;
    await own.reject(id);
    await announced();
    const [after] = await tree.getChildren();
    assert.equal(after, node);
    assert.equal(tree.getTreeItem(node).id, before);
    assert.match(String(tree.getTreeItem(node).description), /^rejected/);
  });

  describe('redraws', () => {
    it('only rows whose appearance has changed, and their batch if its counts have changed', async () => {
      const [one = 0, two = 0] = await own.queue(['1.txt', '2.txt']);
      const [taskId = assert.fail()] = await own.accept(one, 'task');
      await own.report(one, taskId, { progress: 0.1 });
      const node = await group();
      await drawn();
      await drawn(node);
      const row = (await own.row('1.txt')).id;
      await own.report(one, taskId, { progress: 0.4 });
      assert.deepEqual(await announced(), [[{ file: row }]]);
      await own.begin(two);
      const [nodes] = await announced();
      assert.ok(nodes?.includes(node));
      const others = nodes?.filter((one) => one !== node);
      assert.deepEqual(others, [{ file: (await own.row('2.txt')).id }]);
    });

    it('everything if top-level rows have been added or removed', async () => {
      await own.queue(['a.txt']);
      await drawn();
      await own.queue(['b.txt']);
      assert.deepEqual(await announced(), [undefined]);
      assert.equal((await labels()).length, 2);
      await own.store.remove({ files: [(await own.row('a.txt')).id] });
      assert.deepEqual(await announced(), [undefined]);
      assert.deepEqual(await labels(), ['b.txt']);
    });

    it('at most once every 400 ms, and each redraw includes everything that has changed', async () => {
      const names = ['a.txt', 'b.txt', 'c.txt'];
      const imports = (await Promise.all(names.map((name) => own.queue([name])))).flat();
      await drawn();
      const [one = 0, two = 0, three = 0] = imports;
      await own.begin(one);
      tree.refresh();
      await untilEvent(tree.onDidChangeTreeData, () => fired.length === 1);
      await drawn();
      await own.begin(two);
      await own.begin(three);
      for (let times = 0; times < 5; times++) tree.refresh();
      await until('the pause to begin', () => clock.alarms === 1);
      clock.advance(399);
      // If an update had started before the 400 ms were over, it would complete during these store calls.
      for (let calls = 0; calls < 20; calls++) await own.store.counts(null);
      assert.equal(fired.length, 1);
      clock.advance(1);
      await untilEvent(tree.onDidChangeTreeData, () => fired.length === 2);
      assert.equal(fired[1]?.length, 2);
    });

    it('immediately after the user changes the filter', async () => {
      await own.queue(['a.txt']);
      await own.queue(['b.txt']);
      await drawn();
      tree.refresh();
      await until('the pause to begin', () => clock.alarms === 1);
      tree.arrange({ ...BY_BATCH, filter: { text: 'a.txt' } });
      await untilEvent(tree.onDidChangeTreeData, () => fired.length === 1);
      assert.deepEqual(await labels(), ['a.txt']);
    });

    it('upload progress, ages and pauses even if the store has not changed', async () => {
      await own.inState('sending', 'a.txt');
      await own.inState('queued', 'b.txt');
      await drawn();
      const [a, b] = [(await own.row('a.txt')).id, (await own.row('b.txt')).id];
      progress.set(a, 6);
      assert.deepEqual(await announced(), [[{ file: a }]]);
      assert.match((await drawn()).join(), /uploading 50% of 12 bytes/);
      why = { reason: 'busy', untilMs: null };
      assert.deepEqual(await announced(), [[{ file: b }]]);
      assert.match((await drawn()).join(), /paused: the service is busy/);
      const { queuedMs } = (await own.row('b.txt')).import;
      clock.jump(queuedMs - clock.now() + 120_000);
      assert.equal((await announced()).flat().length, 2);
      assert.match((await drawn()).join(), /paused: the service is busy · 2 min ago/);
    });

    it('nothing while the view is hidden, and everything that has changed when it is shown again', async () => {
      const [id = 0] = await own.queue(['a.txt']);
      await drawn();
      tree.setVisible(false);
      await own.reject(id);
      tree.refresh();
      await until('the pause to begin', () => clock.alarms === 1);
      await own.store.counts(null);
      assert.deepEqual(fired, []);
      tree.setVisible(true);
      clock.advance(400);
      await untilEvent(tree.onDidChangeTreeData, () => fired.length === 1);
    });

    it("a group's rows when the group is expanded again", async () => {
      await own.queue(['a/1.txt', 'a/2.txt']);
      const node = await group();
      await drawn();
      assert.equal((await labels(node)).length, 2);
      tree.setOpen(node, false);
      const { batch } = await own.row('1.txt');
      await own.store.remove({ files: [(await own.row('2.txt')).id] });
      await announced();
      fired.length = 0;
      tree.setOpen(node, true);
      await until('the group', () => {
        clock.advance(400);
        return fired.flat().includes(node);
      });
      assert.deepEqual([await labels(node), batch !== null], [['1.txt'], true]);
    });
  });

  it('groups rows by state, dataset or reason', async () => {
    for (const state of STATES) await own.inState(state);
    await own.inState('rejected', 'other.txt');
    tree.arrange({ ...BY_BATCH, groupBy: 'state' });
    const states = await drawn();
    assert.equal(states.length, STATES.length);
    assert.deepEqual(states.slice(0, 2), ['Failed | 1', 'Rejected | 2']);
    tree.arrange({ ...BY_BATCH, groupBy: 'reason' });
    const reasons = await drawn();
    assert.equal(reasons[0], 'Rejected · code 42: No such dataset | rejected: 2');
    assert.ok(reasons.includes('Failed · Line 3 has no title. | failed: 1'), reasons.join('\n'));
    assert.match(reasons.at(-1) ?? '', /^No problems \| /);
    const [first] = await tree.getChildren();
    assert.deepEqual(await labels(first), ['other.txt', 'rejected.txt']);
    tree.arrange({ ...BY_BATCH, groupBy: 'destination' });
    const [dataset] = await tree.getChildren();
    assert.deepEqual(await labels(), ['Manuals']);
    assert.equal((await tree.getChildren(dataset)).length, STATES.length + 1);
    await own.queue(['moved.txt'], { destination: { dataset: 'Manuals', origin: 'https://new.example' } });
    tree.arrange({ ...BY_BATCH, groupBy: 'destination' });
    const [old, moved] = await drawn();
    assert.match(`${old}, ${moved}`, /^Manuals \| import\.example · .*, Manuals \| new\.example · queued: 1$/);
  });

  it('knows the destination of each row, and of each group and page whose rows have only one', async () => {
    const destination = { dataset: 'Other', origin: 'https://other.example' };
    await own.queue(
      Array.from({ length: 201 }, (_, index) => `${index}.txt`),
      { destination },
    );
    await own.queue(['single.txt']);
    const destinationsOf = (nodes: readonly TasksNode[]) => nodes.map((node) => tree.destinationOf(node)?.dataset);
    assert.deepEqual(destinationsOf(await tree.getChildren()), ['Manuals', 'Other']);
    const rows = await tree.getChildren(await group());
    assert.deepEqual(destinationsOf([rows[0], rows.at(-1)].map((node) => node ?? assert.fail())), ['Other', 'Other']);
    tree.arrange({ ...BY_BATCH, groupBy: 'destination' });
    assert.deepEqual(destinationsOf(await tree.getChildren()), ['Manuals', 'Other']);
    tree.arrange({ ...BY_BATCH, groupBy: 'state' });
    assert.deepEqual(destinationsOf(await tree.getChildren()), [undefined]);
  });

  it('shows only rows and counts that match the filter', async () => {
    const [one = 0] = await own.queue(['1.txt', '2.txt']);
    await own.reject(one);
    await own.inState('succeeded', 'single.txt');
    await drawn();
    tree.arrange({ ...BY_BATCH, filter: { states: ['rejected'] } });
    assert.deepEqual(await drawn(), ['notes | rejected: 1 · just now']);
    const node = await group();
    assert.deepEqual(await labels(node), ['1.txt']);
    assert.equal(view.message, '');
    assert.deepEqual(filtersOf([node]), [{ states: ['rejected'], batch: (await own.row('1.txt')).batch }]);
    tree.arrange({ ...BY_BATCH, filter: { text: 'nowhere' } });
    assert.deepEqual(await drawn(), []);
    assert.equal(view.message, 'No tasks match the filter.');
  });

  it('reports why the rows cannot be read, and shows the rows once they can be read again', async () => {
    await own.queue(['a.txt']);
    fault = new Error('locked');
    assert.deepEqual(await labels(), []);
    assert.match(view.message ?? '', /locked/);
    fault = undefined;
    assert.deepEqual(await announced(), [undefined]);
    assert.deepEqual(await labels(), ['a.txt']);
    await own.queue(['b/1.txt', 'b/2.txt']);
    fault = new Error('locked again');
    tree.refresh();
    await until('the error', () => view.message?.includes('locked again') === true);
    fault = undefined;
    assert.deepEqual(await announced(), [undefined]);
    assert.deepEqual([(await labels()).length, view.message], [2, '']);
    const node = await group();
    fault = new Error('locked');
    assert.deepEqual(await labels(node), []);
    fault = undefined;
    assert.deepEqual(await announced(), [[node]]);
    assert.deepEqual(await labels(node), ['1.txt', '2.txt']);
  });

  describe('shows', () => {
    it('each state with an icon, a color and a label for screen readers', async () => {
      for (const state of STATES) await own.inState(state);
      for (const node of await tree.getChildren()) {
        const { iconPath, accessibilityInformation, label, contextValue } = tree.getTreeItem(node);
        const icon = iconPath as ThemeIcon;
        assert.ok(icon.id !== '' && icon.color, String(label));
        assert.match(accessibilityInformation?.label ?? '', /^\w+\.txt, [a-z].*, just now$/);
        assert.ok((contextValue?.match(/inline/g) ?? []).length <= 1, contextValue);
      }
    });

    it('file names with invisible characters escaped', async () => {
      await own.inState('failed', 'gpj.\u202etxt');
      const [node] = await tree.getChildren();
      const item = tree.getTreeItem(node ?? assert.fail());
      assert.equal(item.label, 'gpj.\\u202etxt');
      const { tooltip } = tree.resolveTreeItem(item, node ?? assert.fail());
      for (const text of [item.label, tooltip, item.accessibilityInformation?.label])
        assert.doesNotMatch(String(text), /\u202e/);
    });

    it('the full reason, advice, the dataset and the path in the tooltip', async () => {
      await own.inState('unconfirmed', 'a.txt');
      const [node] = await tree.getChildren();
      const item = tree.resolveTreeItem(tree.getTreeItem(node ?? assert.fail()), node ?? assert.fail());
      const lines = String(item.tooltip).split('\n');
      assert.deepEqual(lines.slice(0, 2), [
        'a.txt',
        'Unconfirmed · import.example closed the connection before it responded. The file may be too large for the service.',
      ]);
      assert.match(lines[2] ?? '', /Mark as Uploaded/);
      assert.deepEqual(lines.slice(3), ['Manuals', '/notes/a.txt']);
    });
  });
});
