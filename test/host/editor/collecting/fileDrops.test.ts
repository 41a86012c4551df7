import assert from 'node:assert/strict';
import { CancellationTokenSource, DataTransfer, DataTransferItem, Uri } from 'vscode';
import { type DropLimits, type Dropped, fileDrops } from '../../../../src/editor/collecting/fileDrops';
import type { Messages } from '../../../../src/editor/platform/messages';

const uris = ['file:///files/a.txt', 'file:///files/%E8%AF%BB%20%E4%B9%A6.md'];

describe('A drop on the view', () => {
  it('gives the addresses of what was dragged from the Explorer, whatever ends their lines', async () => {
    const list = `# from the Explorer\r\n${uris.join('\r\n')}\r\n`;
    for (const text of [list, list.replaceAll('\r', ''), uris.join('\n')]) {
      const [dropped] = (await drop([['text/uri-list', new DataTransferItem(text)]])).value;
      assert.deepEqual(dropped?.uris.map(String), uris);
      assert.deepEqual(dropped?.texts, []);
    }
  });

  it('gives the addresses of dropped files, where they have some', async () => {
    const [dropped] = (await drop([['text/plain', fileItem('a.txt', 'A', Uri.file('/files/a.txt'))]])).value;
    assert.deepEqual(dropped?.uris.map(String), [uris[0]]);
    assert.deepEqual(dropped?.texts, []);
  });

  it('gives the content of files whose place a browser does not tell, each', async () => {
    const { value } = await drop([
      ['text/plain', fileItem('a.txt', 'A')],
      ['text/plain', fileItem('读书会.md', '# B')],
    ]);
    assert.deepEqual(
      value.map(({ uris, texts }) => [uris, texts.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])]),
      [
        [
          [],
          [
            ['a.txt', 'A'],
            ['读书会.md', '# B'],
          ],
        ],
      ],
    );
  });

  it('takes each file once, where both its address and its content come', async () => {
    const { value } = await drop([
      ['text/uri-list', new DataTransferItem(uris.join('\r\n'))],
      ['text/plain', fileItem('a.txt', 'A')],
    ]);
    assert.deepEqual(
      value.map(({ uris, texts }) => [uris.length, texts.length]),
      [[2, 0]],
    );
  });

  it('keeps no file that is larger than allowed, and goes on with the others', async () => {
    const { value } = await drop(three('12345', '1234567', '12'), undefined, undefined, {
      maxBytes: 6,
      roomBytes: 100,
    });
    assert.deepEqual(namesOf(value), [['0.txt', '2.txt']]);
    assert.match(
      String(value[0]?.bad),
      /^'1\.txt' is too large \(7 bytes\)\. The setting 'datasetImport\.maxFileSizeMB' allows 6 bytes\.$/,
    );
  });

  it('reads one file after the other, and none once the memory has no room for more', async () => {
    const reading: string[] = [];
    const items = three('12345', '12345', '1');
    const { value } = await drop(logged(items, reading), undefined, undefined, { maxBytes: 100, roomBytes: 9 });
    assert.deepEqual(reading, ['begin 0.txt', 'end 0.txt', 'begin 1.txt', 'end 1.txt']);
    assert.deepEqual(namesOf(value), [['0.txt']]);
    assert.deepEqual(
      value[0]?.bad.map(
        (words) => /^'(.*)' was skipped\. Files that are not on disk are read into memory/.exec(words)?.[1],
      ),
      ['1.txt', '2.txt'],
    );
  });

  it('reads no more files once the user has let go of it', async () => {
    const reading: string[] = [];
    const canceled = new CancellationTokenSource();
    const items = logged(three('1', '2', '3'), reading, () => canceled.cancel());
    assert.deepEqual((await drop(items, undefined, canceled)).value, []);
    assert.deepEqual(reading, ['begin 0.txt', 'end 0.txt']);
  });

  it('says so where it cannot be read, or where what comes of it fails', async () => {
    const folder = new DataTransferItem('');
    folder.asFile = () => ({ name: 'docs', data: () => Promise.reject(new Error('a folder')) });
    const unreadable = await drop([['text/plain', folder]]);
    assert.deepEqual(unreadable.value, []);
    assert.match(String(unreadable.errors), /a folder/);
    const failing = await drop([['text/uri-list', new DataTransferItem(uris.join('\n'))]], new Error('no dataset'));
    assert.match(String(failing.errors), /no dataset/);
  });

  it('comes with the row that it was on, if it was on one', async () => {
    const rows: (string | undefined)[] = [];
    const drops = fileDrops<string>(
      async (_dropped, row) => void rows.push(row),
      () => ({ maxBytes: 1000, roomBytes: 1000 }),
      {} as Messages,
    );
    const { token } = new CancellationTokenSource();
    for (const row of ['Manuals', undefined]) await drops.handleDrop(row, new DataTransfer(), token);
    assert.deepEqual(rows, ['Manuals', undefined]);
  });
});

/** Drops on the view, and tells what was taken and what was said to have gone wrong. */
async function drop(
  items: readonly [type: string, item: DataTransferItem][],
  fails?: Error,
  { token } = new CancellationTokenSource(),
  limits: DropLimits = { maxBytes: 1000, roomBytes: 1000 },
): Promise<{ value: Dropped[]; errors: unknown[] }> {
  const value: Dropped[] = [];
  const errors: unknown[] = [];
  const data = new DataTransfer();
  for (const [type, item] of withTypesOfTheirOwn(items)) data.set(type, item);
  const take = async (dropped: Dropped) => {
    if (fails !== undefined) throw fails;
    value.push(dropped);
  };
  const messages = { error: async (error: unknown) => errors.push(error) } as unknown as Messages;
  await fileDrops(take, () => limits, messages).handleDrop(undefined, data, token);
  return { value, errors };
}

/** A transfer that is made by hand holds one item of each type, where VS Code's own may hold several. */
function withTypesOfTheirOwn(items: readonly [type: string, item: DataTransferItem][]) {
  return items.map(([type, item], index) => [items.length > 1 && index > 0 ? `${type}-${index}` : type, item] as const);
}

function fileItem(name: string, content: string, uri?: Uri): DataTransferItem {
  const item = new DataTransferItem('');
  const file = { name, data: async () => Buffer.from(content), ...(uri === undefined ? {} : { uri }) };
  item.asFile = () => file;
  return item;
}

function three(...contents: readonly string[]): [type: string, item: DataTransferItem][] {
  return contents.map((content, index) => ['text/plain', fileItem(`${index}.txt`, content)]);
}

/** The same files, which tell when they are read. */
function logged(
  items: readonly [type: string, item: DataTransferItem][],
  log: string[],
  afterReading: () => void = () => {},
): [type: string, item: DataTransferItem][] {
  return items.map(([type, item]) => {
    const file = item.asFile();
    if (file === undefined) return [type, item];
    const told = new DataTransferItem('');
    const data = async () => {
      log.push(`begin ${file.name}`);
      const bytes = await file.data();
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`end ${file.name}`);
      afterReading();
      return bytes;
    };
    told.asFile = () => ({ name: file.name, data });
    return [type, told];
  });
}

function namesOf(value: readonly Dropped[]): string[][] {
  return value.map(({ texts }) => texts.map(({ name }) => name));
}
