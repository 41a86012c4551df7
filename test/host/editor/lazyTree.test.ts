import assert from 'node:assert/strict';
import { CancellationTokenSource, DataTransfer, EventEmitter, type TreeDataProvider, TreeItem } from 'vscode';
import { LazyTree } from '../../../src/editor/lazyTree';

describe('A lazy tree', () => {
  const { token } = new CancellationTokenSource();
  let changed: EventEmitter<string | undefined>;
  let loads: number;
  let dropped: (string | undefined)[];
  let tree: LazyTree<string>;

  beforeEach(() => {
    changed = new EventEmitter();
    loads = 0;
    dropped = [];
    const rows: TreeDataProvider<string> = {
      onDidChangeTreeData: changed.event,
      getChildren: (parent) => (parent === undefined ? ['a'] : []),
      getTreeItem: (row) => new TreeItem(row),
      resolveTreeItem: (item, row) => Object.assign(item, { tooltip: `about ${row}` }),
    };
    const load = async () => {
      loads++;
      return { rows, drops: { handleDrop: (target: string | undefined) => void dropped.push(target) } };
    };
    tree = new LazyTree(load);
  });

  afterEach(() => {
    tree.dispose();
    changed.dispose();
  });

  it("loads nothing until VS Code requests the rows, and then shows the loaded provider's rows and tooltips", async () => {
    assert.equal(loads, 0);
    assert.deepEqual(await tree.getChildren(), ['a']);
    assert.equal(loads, 1);
    const item = await tree.getTreeItem('a');
    assert.equal(item.label, 'a');
    assert.equal((await tree.resolveTreeItem(item, 'a', token)).tooltip, 'about a');
    assert.deepEqual(await tree.getChildren('a'), []);
  });

  it("forwards the loaded provider's change events, but keeps reporting that all rows have changed until VS Code reloads them", async () => {
    const seen: unknown[] = [];
    tree.onDidChangeTreeData((row) => seen.push(row));
    await tree.getChildren();
    changed.fire(undefined);
    await tree.getChildren('a');
    changed.fire('a');
    await tree.getChildren();
    changed.fire('a');
    assert.deepEqual(seen, [undefined, undefined, 'a']);
  });

  it('loads its drop handler when something is dropped', async () => {
    await tree.handleDrop('a', new DataTransfer(), token);
    assert.deepEqual(dropped, ['a']);
  });
});
