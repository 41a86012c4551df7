import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { checkFile, checkText, openChecked, Sources } from '../../../../src/tasks/sending/sources';
import { TemporaryFiles } from '../../service/temporaryFiles';

async function textOf(opening: ReturnType<typeof openChecked>): Promise<string> {
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
    folder: (file) => mkdirSync(file),
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

  it('is read from the disk when its turn comes, a text as it was', async () => {
    await using files = await TemporaryFiles.make();
    const { path, relativePath } = await files.write('a.txt', 'old');
    const file = await checkFile(path, relativePath);
    const held = await checkText({ name: 'b', path: 'b', relativePath: 'b' }, Buffer.from('held'));
    await files.write('a.txt', 'newer');
    assert.deepEqual([await textOf(openChecked(file)), await textOf(openChecked(held))], ['newer', 'held']);
  });
});

describe('The sources of the queue', () => {
  it('have every file, and say so when it is gone', async () => {
    await using files = await TemporaryFiles.make();
    const { path, relativePath } = await files.write('a.txt', 'text');
    const { source } = await checkFile(path, relativePath);
    const sources = new Sources(files.at('texts').path);
    assert.equal(await textOf(sources.open(source)), 'text');
    rmSync(path);
    await assert.rejects(sources.open(source), { name: 'SourceError', reason: 'missing', fileName: 'a.txt' });
  });

  it('have a text that was written under its own name, and say so when it is gone', async () => {
    await using files = await TemporaryFiles.make();
    const { source } = await checkText({ name: 'b', path: 'b', relativePath: 'b' }, Buffer.from('held'));
    const sources = new Sources(files.at('texts').path);
    await sources.write(source, Buffer.from('held'));
    assert.equal((await sources.open(source)).name, 'b');
    assert.equal(await textOf(sources.open(source)), 'held');
    await sources.delete([source]);
    await assert.rejects(sources.open(source), { name: 'SourceError', reason: 'missing', fileName: 'b' });
  });
});
