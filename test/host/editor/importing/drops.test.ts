import assert from 'node:assert/strict';
import { CancellationTokenSource, DataTransfer, DataTransferItem, Uri, window, workspace } from 'vscode';
import { datasetNamed } from '../../../../src/editor/datasets/findDataset';
import { dropsOf, readDrop } from '../../../../src/editor/importing/drops';
import { taskIdOf } from '../../../unit/tasks/store/storeRequests';
import { activated } from '../../activated';
import { closeEditors } from '../../settled';
import { until } from '../../until';
import { beforeEachUploads, uploads } from './uploads';

const URIS = ['file:///files/a.txt', 'file:///files/%E8%AF%BB%20%E4%B9%A6.md'];

describe('The drop reader', () => {
  it("returns the URIs of files dragged from the Explorer, regardless of the URI list's line endings", async () => {
    const list = `# from the Explorer\r\n${URIS.join('\r\n')}\r\n`;
    for (const text of [list, list.replaceAll('\r', ''), URIS.join('\n')]) {
      const dropped = await read([['text/uri-list', new DataTransferItem(text)]]);
      assert.deepEqual([dropped?.uris?.map(String), dropped?.texts], [URIS, undefined]);
    }
  });

  it('returns a URI for each dropped file that has one', async () => {
    const dropped = await read([['text/plain', fileItem('a.txt', 'A', Uri.file('/files/a.txt'))]]);
    assert.deepEqual([dropped?.uris?.map(String), dropped?.texts], [[URIS[0]], []]);
  });

  it('returns the contents of files whose paths the browser hides', async () => {
    const dropped = await read([
      ['text/plain', fileItem('a.txt', 'A')],
      ['text/plain', fileItem('读书会.md', '# B')],
    ]);
    const texts = dropped?.texts?.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()]);
    assert.deepEqual(texts, [
      ['a.txt', 'A'],
      ['读书会.md', '# B'],
    ]);
  });

  it('returns each file only once, even if both its URI and its content are transferred', async () => {
    const list = new DataTransferItem(URIS.join('\r\n'));
    const dropped = await read([
      ['text/uri-list', list],
      ['text/plain', fileItem('a.txt', 'A')],
    ]);
    assert.deepEqual([dropped?.uris?.length, dropped?.texts], [2, undefined]);
  });

  it('returns nothing if the drop contains no files', async () => {
    assert.equal(await read([['text/plain', new DataTransferItem('text')]]), undefined);
  });

  it('skips a file that is too large, and reads the other files', async () => {
    const dropped = await read(files('12345', '1234567', '12'), { maxBytes: 6, roomBytes: 100 });
    const names = dropped?.texts?.map(({ name }) => name);
    assert.deepEqual(names, ['0.txt', '2.txt']);
    assert.deepEqual(dropped?.unread, [
      "'1.txt' is too large (7 bytes). The setting 'datasetImport.maxFileSizeMB' allows 6 bytes.",
    ]);
  });

  it('reads one file at a time until the memory limit is exceeded', async () => {
    const log: string[] = [];
    const dropped = await read(files('12345', '12345', '1').map(logged(log)), { maxBytes: 100, roomBytes: 9 });
    assert.deepEqual(log, ['begin 0.txt', 'end 0.txt', 'begin 1.txt', 'end 1.txt']);
    const names = dropped?.texts?.map(({ name }) => name);
    assert.deepEqual(names, ['0.txt']);
    const unread = dropped?.unread?.map(
      (text) => /^'(.*)' was skipped\. Files that are not on disk are read/.exec(text)?.[1],
    );
    assert.deepEqual(unread, ['1.txt', '2.txt']);
  });

  it('stops when the user cancels it', async () => {
    const log: string[] = [];
    const canceled = new CancellationTokenSource();
    await read(files('1', '2').map(logged(log, () => canceled.cancel())), undefined, canceled);
    assert.deepEqual(log, ['begin 0.txt', 'end 0.txt']);
  });
});

describe('A view', () => {
  let drops: ReturnType<typeof dropsOf<string>>;
  const { token } = new CancellationTokenSource();

  afterEach(closeEditors);
  beforeEachUploads('drops');

  beforeEach(() => {
    drops = dropsOf(uploads.services, (row) => datasetNamed(uploads.services, row));
  });

  it('imports dropped files to the dataset of the row they are dropped on, to the default dataset if they are dropped below the last row, and to none if the dataset of the row no longer exists', async () => {
    await drops.handleDrop('Removed', uriList(uploads.write('c.txt')), token);
    await until('the error', () => uploads.errors.length === 1);
    await drops.handleDrop('Other', uriList(uploads.write('a.txt')), token);
    await until('the first file', async () => (await uploads.queued()).length === 1);
    await drops.handleDrop(undefined, transfer([['text/plain', fileItem('b.txt', 'B')]]), token);
    await until('the second file', async () => (await uploads.queued()).length === 2);
    const imported = (await uploads.rows()).map(({ name, dataset }) => [name, dataset]);
    assert.deepEqual(imported, [
      ['b.txt', 'Manuals'],
      ['a.txt', 'Other'],
    ]);
  });

  it('imports the text of an unsaved document whose tab is dropped on it', async () => {
    const document = await workspace.openTextDocument({ content: '# Title', language: 'markdown' });
    await window.showTextDocument(document);
    await drops.handleDrop(undefined, uriList(document.uri), token);
    await until('the import', async () => (await uploads.queued()).length === 1);
    assert.deepEqual([await uploads.queued(), uploads.asked], [['Title.md'], ['Title.md']]);
  });

  it('imports nothing if files are dropped on a task whose dataset no longer exists, and reports why', async () => {
    const { store, tasksTree, messages } = await activated();
    const destination = { dataset: 'Removed', origin: 'https://removed.example' };
    await store.track({ destination, id: taskIdOf('T1'), name: '' });
    const [row] = (await tasksTree.rows.getChildren()) ?? [];
    const errors: unknown[] = [];
    messages.error = async (error) => void errors.push(String(error));
    await tasksTree.drops.handleDrop(row, uriList(uploads.write('a.txt')), token);
    await until('the error', () => errors.length > 0).finally(() => Reflect.deleteProperty(messages, 'error'));
    await store.remove({});
    assert.deepEqual(errors, ["UserError: Dataset 'Removed' no longer exists."]);
  });

  it('imports nothing if none of the dropped files can be read, and reports why', async () => {
    const folder = new DataTransferItem('');
    folder.asFile = () => ({ name: 'docs', data: () => Promise.reject(new Error('a folder')) });
    await drops.handleDrop(undefined, transfer([['text/plain', folder]]), token);
    await drops.handleDrop(undefined, transfer(files('')), token);
    await until('the errors', () => uploads.errors.length === 2);
    assert.match(uploads.errors.join(), /a folder.*'0\.txt' is empty/s);
  });
});

type Item = readonly [type: string, item: DataTransferItem];

function read(
  items: readonly Item[],
  limits = { maxBytes: 1000, roomBytes: 1000 },
  { token } = new CancellationTokenSource(),
) {
  return readDrop(transfer(items), limits, token);
}

/** Gives each item its own type, because a transfer created in a test can hold only one item per type. */
function transfer(items: readonly Item[]): DataTransfer {
  const data = new DataTransfer();
  for (const [index, [type, item]] of items.entries()) data.set(index === 0 ? type : `${type}-${index}`, item);
  return data;
}

function uriList(uri: Uri): DataTransfer {
  return transfer([['text/uri-list', new DataTransferItem(String(uri))]]);
}

function fileItem(name: string, content: string, uri?: Uri): DataTransferItem {
  const item = new DataTransferItem('');
  const file = { name, data: async () => Buffer.from(content), ...(uri === undefined ? {} : { uri }) };
  item.asFile = () => file;
  return item;
}

function files(...contents: readonly string[]): Item[] {
  return contents.map((content, index) => ['text/plain', fileItem(`${index}.txt`, content)]);
}

/** Wraps a file item and logs each read. */
function logged(log: string[], afterReading: () => void = () => {}) {
  return ([type, item]: Item): Item => {
    const { name = '', data } = item.asFile() ?? {};
    const loggedItem = new DataTransferItem('');
    loggedItem.asFile = () => ({
      name,
      data: async () => {
        log.push(`begin ${name}`);
        const bytes = (await data?.()) ?? Buffer.of();
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`end ${name}`);
        afterReading();
        return bytes;
      },
    });
    return [type, loggedItem];
  };
}
