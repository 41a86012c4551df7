import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { appendFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { assertUnchanged, FileBody } from '../../../../src/service/content/fileBody';
import { wholeBody } from '../../../../src/service/content/hashing';
import { SourceError } from '../../../../src/service/errors';
import { fileOperations } from '../../../../src/tasks/sending/fileOperations';
import { FileThread } from '../../../../src/tasks/sending/fileThread';
import { TemporaryFiles } from '../../service/temporaryFiles';

describe('The thread that reads files', () => {
  let files: TemporaryFiles;
  let thread: FileThread;

  beforeEach(async () => {
    files = await TemporaryFiles.make();
    thread = new FileThread();
  });
  afterEach(async () => {
    thread.end();
    await files[Symbol.asyncDispose]();
  });

  it('checks files in their order, and says what is wrong with the others', async () => {
    const good = await files.write('good.txt', 'text');
    const modifiedMs = Date.UTC(2026, 0, 1);
    await utimes(good.path, modifiedMs / 1000, modifiedMs / 1000);
    mkdirSync(files.at('folder').path);
    const wanted = ['good.txt', 'gone.txt', 'folder', 'good.txt'].map((name) => pathsOf(files.at(name)));
    const checked = await thread.check(wanted);
    const source = { from: 'disk', ...pathsOf(good), name: 'good.txt', sizeBytes: 4, modifiedMs };
    assert.deepEqual(checked[0], { source });
    assert.ok(checked[1] instanceof SourceError);
    assert.deepEqual(
      checked.map((one) => one instanceof SourceError && one.reason),
      [false, 'missing', 'folder', false],
    );
  });

  it('reads a small file with its hash, and leaves a large one to whoever sends it', async () => {
    const content = '\uFEFFGrüße\r\n';
    const { path: small } = await files.write('small.txt', content);
    const { path: large } = await files.write('large.txt', 'x'.repeat(256 * 1024 + 1));
    const whole = await thread.read(small, 'sent as.txt');
    assert.ok(whole);
    assert.equal(Buffer.from(whole.bytes).toString(), content);
    assert.equal(whole.sha256, createHash('sha256').update(content).digest('hex'));
    assert.equal(await thread.read(large, 'large.txt'), undefined);
    assert.equal(await thread.sha256(large, 'large.txt'), await fileOperations.sha256(large, 'large.txt'));
  });

  it('says why a file cannot be read, by the name under which it is sent', async () => {
    const expected = { name: 'SourceError', reason: 'missing', fileName: 'sent as.txt' };
    for (const reading of [thread.read(files.at('gone.txt').path, 'sent as.txt'), thread.sha256('', 'sent as.txt')])
      await assert.rejects(reading, expected);
  });

  it('rejects what it was asked when it ended, and is started again by the next call', async () => {
    const { path: file } = await files.write('a.txt', 'text');
    const reading = thread.read(file, 'a.txt');
    thread.end();
    await assert.rejects(reading, /ended/);
    assert.equal((await thread.read(file, 'a.txt'))?.bytes.length, 4);
  });

  it('rejects what is asked of it if it cannot be started', async () => {
    const { path: file } = await files.write('a.txt', 'text');
    const none = new FileThread(path.join(__dirname, 'noSuchProgram.js'));
    await assert.rejects(none.read(file, 'a.txt'), /Cannot find module/);
  });
});

describe('A small file', () => {
  const noon = new Date(2026, 0, 1, 12);
  const changes: Record<string, readonly [reason: string, (file: string) => Promise<void>]> = {
    'is written': ['changed', (file) => writeFile(file, 'new text, longer')],
    'is replaced by another of its size and time': [
      'changed',
      async (file) => {
        await writeFile(`${file}.new`, 'NEW TEXT');
        await utimes(`${file}.new`, noon, noon);
        await rename(`${file}.new`, file);
      },
    ],
    'is deleted': ['missing', (file) => rm(file)],
  };
  for (const [what, [reason, change]] of Object.entries(changes)) {
    it(`that ${what} as it is read is not sent`, async () => {
      await using files = await TemporaryFiles.make();
      const { path: file } = await files.write('a.txt', 'old text');
      await utimes(file, noon, noon);
      const body = await FileBody.open(file);
      await assertUnchanged(file, body);
      await change(file);
      await assert.rejects(assertUnchanged(file, body), { name: 'SourceError', reason, fileName: 'a.txt' });
      await body.close();
    });
  }

  it('that is written for as long as it is read is not sent', async () => {
    await using files = await TemporaryFiles.make();
    const { path: file } = await files.write('a.txt', 'text');
    let isOver = false;
    const writing = (async () => {
      while (!isOver) await appendFile(file, 'more');
    })();
    await assert.rejects(fileOperations.read(file, 'a.txt'), { name: 'SourceError', reason: 'changed' });
    isOver = true;
    await writing;
  });

  it('that was read is sent as it was then, each time', async () => {
    await using files = await TemporaryFiles.make();
    const { path: file } = await files.write('a.txt', 'text');
    const whole = await fileOperations.read(file, 'a.txt');
    assert.ok(whole);
    await rm(file);
    const body = wholeBody('sent as.txt', whole);
    assert.deepEqual([body.name, body.sizeBytes, String(await body.beginning(2))], ['sent as.txt', 4, 'te']);
    assert.deepEqual([await text(body.chunks()), await text(body.chunks())], ['text', 'text']);
  });
});

function pathsOf({ path, relativePath }: { readonly path: string; readonly relativePath: string }) {
  return { path, relativePath };
}
