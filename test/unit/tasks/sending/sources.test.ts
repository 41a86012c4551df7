import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { hashed } from '../../../../src/service/content/hashing';
import { SourceError } from '../../../../src/service/errors';
import { checkFile, checkText } from '../../../../src/tasks/sending/checkedSource';
import { Sources } from '../../../../src/tasks/sending/sources';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { sharedFiles } from '../sharedFiles';

async function textOf(opening: ReturnType<Sources['open']>): Promise<string> {
  const body = await opening;
  try {
    return await text(body.chunks());
  } finally {
    await body.close();
  }
}

describe('What is to be imported', () => {
  const faults: Record<string, (file: string) => void> = {
    missing: () => {},
    notFile: (file) => mkdirSync(file),
    empty: (file) => writeFileSync(file, ''),
    binary: (file) => writeFileSync(file, 'PK\u0003\u0004\0\0'),
  };
  for (const [reason, make] of Object.entries(faults)) {
    it(`names a file that is ${reason}`, async () => {
      await using files = await TemporaryFiles.make();
      const file = files.at('a.txt');
      make(file.path);
      await assert.rejects(checkFile(file.path, file.relativePath), { name: 'SourceError', reason, fileName: 'a.txt' });
    });
  }

  for (const [reason, bytes] of Object.entries({ empty: '', binary: 'a\0b' })) {
    it(`names a text that is ${reason}`, async () => {
      const told = { name: 'Untitled-1', path: 'Untitled-1', relativePath: 'Untitled-1' };
      const checking = checkText(told, Buffer.from(bytes));
      await assert.rejects(checking, { name: 'SourceError', reason, fileName: 'Untitled-1' });
    });
  }

  it('gives name, size in bytes and both paths of a good file', async () => {
    await using files = await TemporaryFiles.make();
    const { path, relativePath } = await files.write('a.txt', 'Grüße');
    assert.deepEqual(await checkFile(path, relativePath), {
      source: { from: 'disk', path, relativePath, name: 'a.txt', sizeBytes: 7 },
    });
  });
});

describe('The storage folder of the extension', () => {
  it('is not imported from, also through a link', async () => {
    await using files = await TemporaryFiles.make();
    for (const folder of ['storage', 'storage2']) mkdirSync(files.at(folder).path);
    const database = await files.write('storage/tasks.sqlite', 'text');
    const link = files.at('notes.txt').path;
    symlinkSync(database.path, link);
    const outside = await files.write('storage2/a.txt', 'text');
    const sources = new Sources(files.at('storage/texts').path, sharedFiles);
    const paths = [database.path, link, outside.path];
    const checked = await sources.check(paths.map((path) => ({ path, relativePath: 'a.txt' })));
    assert.deepEqual(
      checked.map((result) => (result instanceof SourceError ? result.reason : 'checked')),
      ['ownStorage', 'ownStorage', 'checked'],
    );
  });
});

describe('The sources of the queue', () => {
  it('have every file, and say so when it is gone', async () => {
    await using files = await TemporaryFiles.make();
    const { path, relativePath } = await files.write('a.txt', 'text');
    const { source } = await checkFile(path, relativePath);
    const sources = new Sources(files.at('texts').path, sharedFiles);
    assert.equal(await textOf(sources.open(source)), 'text');
    rmSync(path);
    await assert.rejects(sources.open(source), { name: 'SourceError', reason: 'missing', fileName: 'a.txt' });
  });

  it('have what is in a file when its turn comes, however large it is, with its hash', async () => {
    await using files = await TemporaryFiles.make();
    const sources = new Sources(files.at('texts').path, sharedFiles);
    for (const content of ['newer', 'a line of text\n'.repeat(100_000)]) {
      const { path, relativePath } = await files.write('a.txt', 'old');
      const { source } = await checkFile(path, relativePath);
      await files.write('a.txt', content);
      const body = hashed(await sources.open(source));
      assert.equal(await text(body.chunks()), content);
      await body.close();
      assert.equal(body.sha256(), createHash('sha256').update(content).digest('hex'));
    }
  });

  it('have a text that was written under its own name, and say so when it is gone', async () => {
    await using files = await TemporaryFiles.make();
    const { source } = await checkText({ name: 'b', path: 'b', relativePath: 'b' }, Buffer.from('held'));
    const sources = new Sources(files.at('texts').path, sharedFiles);
    await sources.write(source, Buffer.from('held'));
    assert.equal((await sources.open(source)).name, 'b');
    assert.equal(await textOf(sources.open(source)), 'held');
    await sources.delete([source]);
    await assert.rejects(sources.open(source), { name: 'SourceError', reason: 'missing', fileName: 'b' });
  });
});
