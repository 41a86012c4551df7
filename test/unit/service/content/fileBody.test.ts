import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { closeSync } from 'node:fs';
import { appendFile, mkdir, open as openFile, readdir, readlink, rm, symlink, truncate } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { FileBody, inspectFile } from '../../../../src/service/content/fileBody';
import { tlsServer, trusting } from '../certificates';
import { outcomeText, runAgainst } from '../operations';
import { RawServer, type Script } from '../rawServer';
import { readForm } from '../readForm';
import { ACCEPTED, acceptsAll, response } from '../responses';
import { type FileToImport, TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

const onPosix = process.platform === 'win32' ? [] : [true];
let files: TemporaryFiles;
before(async () => {
  files = await TemporaryFiles.make();
});
after(() => files[Symbol.asyncDispose]());

/** Text in which no two 4 KiB blocks are the same. */
function numbered(bytes: number): Buffer {
  const text = Buffer.alloc(bytes, '.');
  for (let at = 0; at < bytes; at += 4096) text.write(String(at), at);
  return text;
}

describe('An import', () => {
  /** Tries to import a file and returns the outcome. Checks that no connection to the service is opened. */
  async function refused(file: FileToImport): Promise<string> {
    await using server = await RawServer.start(acceptsAll);
    const outcome = await wire().fileTask(target(server.url), file, unwatched());
    assert.equal(server.peers.length, 0);
    assert.ok(outcome.kind === 'notUploaded' && outcome.cause.name === 'SourceError');
    assert.equal(outcome.cause.fileName, path.basename(file.path));
    return outcomeText(outcome);
  }

  it("doesn't connect to the service if the file is missing, empty or a folder", async () => {
    assert.equal(await refused(files.at('missing.txt')), 'not uploaded: SourceError missing');
    assert.equal(await refused(await files.write('empty.txt', '')), 'not uploaded: SourceError empty');
    await mkdir(files.at('folder.txt').path);
    assert.equal(await refused(files.at('folder.txt')), 'not uploaded: SourceError notFile');
  });

  it('reports a file as binary if its first 8 KiB contain a NUL byte', async () => {
    const { path } = await files.write('binary.txt', `${'x'.repeat(8191)}\0`);
    assert.equal((await inspectFile(path, 'binary.txt')).isBinary, true);
    await using body = await FileBody.open(path);
    assert.equal(body.sizeBytes, 8192);
  });

  for (const _ of onPosix) {
    it('neither connects to the service nor waits for a writer if the file is a named pipe', async () => {
      const pipe = files.at('pipe.txt');
      await promisify(execFile)('mkfifo', [pipe.path]);
      assert.equal(await refused(pipe), 'not uploaded: SourceError notFile');
    });

    it("doesn't connect to the service if the file is a symlink to itself", async () => {
      const loop = files.at('loop.txt');
      await symlink(loop.path, loop.path);
      assert.equal(await refused(loop), 'not uploaded: SourceError unreadable');
    });
  }
});

describe('If a file', () => {
  const changes: Record<string, (file: string) => Promise<void>> = {
    'shrinks to nothing': (file) => truncate(file, 0),
    'shrinks by a byte': (file) => truncate(file, 16 * 1024 * 1024 - 1),
    grows: (file) => appendFile(file, 'more'),
    'is overwritten in place': async (file) => {
      await using open = await openFile(file, 'r+');
      await open.write('y', 16 * 1024 * 1024 - 1);
    },
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`${what} while it is being sent, it is never sent in full, and its import is unconfirmed`, async () => {
      const file = await files.write('changing.txt', 'x'.repeat(16 * 1024 * 1024));
      const changing: Script = async (peer) => {
        await peer.readBytes(100_000);
        await change(file.path);
        await peer.readToEnd();
      };
      const end = 'unconfirmed: SourceError changed';
      assert.deepEqual(await runAgainst(changing, { file }), { end, posts: 1 });
    });
  }

  it('is deleted while it is being sent, it is still sent in full', async () => {
    const content = numbered(5 * 1024 * 1024);
    const file = await files.write('deleted.txt', content);
    const deleting: Script = async (peer) => {
      await peer.readBytes(1);
      await rm(file.path);
      await peer.readRequest();
      peer.end(response('200 OK', ACCEPTED));
    };
    await using server = await RawServer.start(deleting);
    assert.equal(outcomeText(await wire().fileTask(target(server.url), file, unwatched())), 'accepted');
    assert.ok(server.request.body.includes(content));
  });
});

describe('An imported file', () => {
  const contents: Record<string, Buffer> = {
    'a byte order mark': Buffer.from('\uFEFFtext'),
    'line endings of all kinds': Buffer.from('a\r\nb\nc\rd\n\n\r\n'),
    'UTF-16 LE text': Buffer.from('\uFEFFGrüße\r\n', 'utf16le'),
    'invalid UTF-8': Buffer.from([0x61, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
    'text that looks like a form boundary': Buffer.from('\r\n----------------------------\r\n--\r\n'),
    'a NUL byte after 8 KiB': Buffer.concat([Buffer.alloc(8192, 'x'), Buffer.of(0)]),
    'exactly 1 MiB of text': numbered(1024 * 1024),
    '1 MiB and one byte of text': numbered(1024 * 1024 + 1),
  };
  for (const [what, content] of Object.entries(contents)) {
    it(`arrives unchanged even if it contains ${what}`, async () => {
      await using server = await RawServer.start(acceptsAll);
      const file = await files.write('bytes.txt', content);
      assert.equal(outcomeText(await wire().fileTask(target(server.url), file, unwatched())), 'accepted');
      const [part] = await readForm(server.request);
      assert.ok(part?.content.equals(content));
    });
  }
});

describe('A large imported file', () => {
  const schemes = { http: () => undefined, https: () => tlsServer('loopback') };
  for (const [scheme, server] of Object.entries(schemes)) {
    it(`arrives unchanged over ${scheme}, even though the read buffers are reused`, async () => {
      using _ = trusting('loopback');
      await using service = await RawServer.start(acceptsAll, server());
      const sizeBytes = 20 * 1024 * 1024 + 1;
      const content = numbered(sizeBytes);
      const file = await files.write('large.txt', content);
      const to = target(new URL(`${scheme}://127.0.0.1:${service.port}`));
      assert.equal(outcomeText(await wire().fileTask(to, file, unwatched())), 'accepted');
      const { body } = service.request;
      const begin = body.indexOf('\r\n\r\n') + 4;
      assert.ok(body.subarray(begin, begin + sizeBytes).equals(content));
      await rm(file.path);
    });
  }

  it('is read using four buffers in rotation', async () => {
    const { path } = await files.write('large.txt', Buffer.alloc(20 * 1024 * 1024, 'text\n'));
    const body = await FileBody.open(path);
    const memories: ArrayBufferLike[] = [];
    for await (const { buffer } of body.chunks()) memories.push(buffer);
    await body.close();
    for (const at of memories.keys())
      assert.equal(new Set(memories.slice(at, at + 4)).size, memories.slice(at, at + 4).length);
    assert.equal(new Set(memories).size, 4);
  });
});

describe('The source file of an import', () => {
  async function openFiles(): Promise<string[]> {
    const descriptors = await readdir('/proc/self/fd');
    const targets = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
    return targets.filter((name) => name.startsWith(files.folder));
  }

  it('is closed without an error, even if the drive reports one', async () => {
    const body = await FileBody.open((await files.write('a.txt')).path);
    closeSync(body['handle'].fd);
    await body.close();
  });

  for (const _ of process.platform === 'linux' ? [true] : []) {
    it('is closed, whether or not it was sent', async () => {
      const file = await files.write('a.txt');
      await runAgainst(acceptsAll, { file });
      await runAgainst(async (peer) => peer.reset(), { file });
      await wire().fileTask(target(new URL('https://dataset-import.invalid')), file, unwatched());
      await wire().fileTask(target(new URL('http://127.0.0.1:1')), file, { signal: AbortSignal.abort() });
      await wire().fileTask(target(new URL('http://127.0.0.1:1')), await files.write('b.txt', '\0'), unwatched());
      assert.deepEqual(await openFiles(), []);
    });
  }
});
