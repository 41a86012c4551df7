import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { SourceError } from '../../../../src/service/errors';
import { checkFile } from '../../../../src/tasks/sending/checkedSource';
import { fileOperations } from '../../../../src/tasks/sending/fileOperations';
import { Files, isPassing, type Prepared, smallBody } from '../../../../src/tasks/sending/files';
import { uploadFile } from '../../../../src/tasks/sending/uploadFile';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { target } from '../../service/wire';
import { HandClock } from '../handClock';
import { until } from '../until';

const LONG_AGO_S = 1_700_000_000;
const SMALL_BYTES = 256 * 1024;
const onLinux = process.platform === 'linux' ? [true] : [];
const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

let folder: TemporaryFiles;
let files: Files;

beforeEach(async () => {
  folder = await TemporaryFiles.make();
  files = new Files();
});
afterEach(async () => {
  files.end();
  await folder[Symbol.asyncDispose]();
});

/** Writes a file with an old modification time. */
async function write(name: string, content: string | Uint8Array): Promise<string> {
  const { path: file } = await folder.write(name, content);
  utimesSync(file, LONG_AGO_S, LONG_AGO_S);
  return file;
}

async function prepared(file: string): Promise<Prepared> {
  const [one] = await files.prepare([{ path: file, name: 'sent as.txt' }]);
  return one ?? assert.fail();
}

async function failure(file: string): Promise<string> {
  const one = await prepared(file);
  return 'error' in one
    ? `${isPassing(one.error) ? 'later' : 'failed'}: ${one.error.reason} ${one.error.fileName}`
    : one.kind;
}

/** Locks a file from another process, using a file lease. Returns a function that unlocks it. */
async function locked(file: string): Promise<() => Promise<unknown>> {
  const lock =
    'use Fcntl; $SIG{IO} = "IGNORE"; $| = 1; open F, "+<", $ARGV[0]; fcntl(F, 1024, 1) or die; print 1; <STDIN>';
  const locking = spawn('perl', ['-e', lock, file]);
  await once(locking.stdout, 'data');
  return () => {
    locking.stdin.end();
    return once(locking, 'close');
  };
}

/** A file that changes after it is read but before the final check. */
function changedOnceRead(file: string, change: () => void) {
  let uses = 0;
  return {
    name: 'sent as.txt',
    // The path is used twice before the file is read.
    get path(): string {
      if (++uses > 2) change();
      return file;
    },
  };
}

describe('The file reader', () => {
  it('reads small files in order and returns their size, modification time and hash', async () => {
    const contents = Array.from({ length: 40 }, (_, index) => `\uFEFFGrüße ${index}\r\n`);
    const paths = await Promise.all(contents.map((text, index) => write(`${index}.txt`, text)));
    const all = await files.prepare(paths.map((file) => ({ path: file, name: path.basename(file) })));
    for (const [index, text] of contents.entries()) {
      const one = all[index];
      assert.ok(one?.kind === 'small');
      assert.equal(Buffer.from(one.bytes).toString(), text);
      const { sizeBytes, modifiedMs } = one;
      assert.deepEqual([sizeBytes, modifiedMs], [Buffer.byteLength(text), LONG_AGO_S * 1000]);
      assert.equal(one.sha256, sha256(text));
    }
  });

  it('leaves files larger than 256 KiB on disk and streams them', async () => {
    const [small, large] = ['x'.repeat(SMALL_BYTES), 'x'.repeat(SMALL_BYTES + 1)];
    assert.equal((await prepared(await write('small.txt', small))).kind, 'small');
    const file = await write('large.txt', large);
    const one = await prepared(file);
    assert.deepEqual([one.kind, 'sizeBytes' in one && one.sizeBytes], ['large', SMALL_BYTES + 1]);
    await using body = Object.assign(await files.open(file, 'large.txt'), {
      async [Symbol.asyncDispose]() {
        await body.close();
      },
    });
    assert.equal(body.sha256(), undefined);
    assert.equal((await buffer(body.chunks())).toString(), large);
    assert.equal(body.sha256(), sha256(large));
  });

  it('omits the modification time if a later change could have the same timestamp', async () => {
    const { path: file } = await folder.write('a.txt', 'text');
    const one = await prepared(file);
    assert.ok(one.kind === 'small');
    assert.equal(one.modifiedMs, null);
  });

  it('keeps small files in memory, even if they are deleted afterward', async () => {
    const file = await write('a.txt', 'text');
    const one = await prepared(file);
    assert.ok(one.kind === 'small');
    rmSync(file);
    const body = smallBody('sent as.txt', one);
    assert.deepEqual([body.name, body.sizeBytes, String(await body.beginning(2))], ['sent as.txt', 4, 'te']);
    for (const _ of [1, 2]) assert.equal(String(await buffer(body.chunks())), 'text');
    assert.equal(body.sha256(), sha256('text'));
  });

  it('allows binary data, but fails for missing files, empty files and folders', async () => {
    mkdirSync(folder.at('folder').path);
    await write('empty.txt', '');
    await write('binary.txt', `${'x'.repeat(8191)}\0`);
    await write('large binary.txt', `\0${'x'.repeat(SMALL_BYTES)}`);
    await write('good.txt', 'text');
    const names = ['gone.txt', 'folder', 'good.txt/a.txt', 'empty.txt', 'binary.txt', 'large binary.txt', 'good.txt'];
    const all = await files.prepare(names.map((name) => ({ path: folder.at(name).path, name })));
    assert.deepEqual(
      all.map((one) => ('error' in one ? [one.kind, one.error.reason, one.error.fileName] : one.kind)),
      [
        ['failed', 'missing', 'gone.txt'],
        ['failed', 'notFile', 'folder'],
        ['failed', 'missing', 'good.txt/a.txt'],
        ['failed', 'empty', 'empty.txt'],
        'small',
        'large',
        'small',
      ],
    );
  });

  for (const _ of onLinux) {
    it('fails for a file whose name is not valid UTF-8', async () => {
      const name = Buffer.from([0xce, 0xc4, 0xbc, 0xfe, 0x2e, 0x74, 0x78, 0x74]);
      writeFileSync(Buffer.concat([Buffer.from(`${folder.folder}/`), name]), 'text');
      assert.equal(await failure(path.join(folder.folder, name.toString())), 'failed: invalidName sent as.txt');
    });

    it('postpones a locked file until it is unlocked', async () => {
      const file = await write('locked.txt', 'text');
      const unlock = await locked(file);
      assert.equal(await failure(file), 'later: busy sent as.txt');
      assert.equal((await checkFile({ path: file, relativePath: 'locked.txt' })).source.sizeBytes, 4);
      await unlock();
      assert.equal((await prepared(file)).kind, 'small');
    });

    it('postpones a large file if another program locks it just before the upload', async () => {
      const file = await write('locked.txt', 'x'.repeat(SMALL_BYTES + 1));
      const large = await prepared(file);
      assert.ok(large.kind === 'large');
      const unlock = await locked(file);
      const ports = { files, clock: new HandClock(), service: { fileTask: () => assert.fail('sent') } };
      const next = { name: 'locked.txt', relativePath: 'locked.txt' };
      const watch = { signal: new AbortController().signal, atFirstByte: () => {}, onSent: () => {} };
      const to = target(new URL('http://127.0.0.1:1'));
      const uploaded = await uploadFile(ports, to, { next, path: file, file: large, readMs: 0 }, watch);
      assert.deepEqual([uploaded.kind, 'error' in uploaded && uploaded.error.reason], ['later', 'busy']);
      await unlock();
    });

    it('postpones a file whose content is longer or shorter than its reported size', async () => {
      // The kernel reports sizes of 0 and 4096 bytes, regardless of what these files contain.
      for (const file of ['/proc/self/status', '/sys/devices/system/cpu/online']) {
        assert.equal(await failure(file), 'later: changing sent as.txt');
        await checkFile({ path: file, relativePath: 'a.txt' });
      }
    });
  }

  for (const size of [10, SMALL_BYTES * 2]) {
    it(`postpones a ${size}-byte file if it changes while being read`, async () => {
      const file = await write('a.txt', 'x'.repeat(size));
      const source = changedOnceRead(file, () => appendFileSync(file, 'more'));
      const [read] = await fileOperations.prepare([source]);
      assert.deepEqual(read, { fault: { reason: 'changing', fileName: 'sent as.txt', cause: undefined } });
    });
  }

  it('succeeds if only the modification time changes while the file is being read', async () => {
    const file = await write('a.txt', 'text');
    const touch = () => utimesSync(file, LONG_AGO_S, LONG_AGO_S + 1);
    const [read] = await fileOperations.prepare([changedOnceRead(file, touch)]);
    assert.ok(read !== undefined && 'bytes' in read);
    assert.deepEqual([String(read.bytes), read.modifiedMs], ['text', (LONG_AGO_S + 1) * 1000]);
  });

  for (const [kind, size] of [
    ['small', 4],
    ['large', SMALL_BYTES + 1],
  ] as const) {
    it(`succeeds for a ${kind} file if only its inode keeps changing, as on some network drives`, async () => {
      const file = await write('a.txt', 'x'.repeat(size));
      const replace = () => {
        writeFileSync(`${file}.new`, 'x'.repeat(size));
        utimesSync(`${file}.new`, LONG_AGO_S, LONG_AGO_S);
        renameSync(`${file}.new`, file);
      };
      const [read] = await fileOperations.prepare([changedOnceRead(file, replace)]);
      assert.equal(read !== undefined && 'kind' in read && read.kind, kind);
    });
  }

  it('checks a file again after a short delay if it was changed within the last few seconds', async () => {
    const { path: file } = await folder.write('a.txt', 'text');
    let hasRested = false;
    const source = changedOnceRead(file, () => assert.ok(hasRested));
    // Timers in a thread fire in order, so this one fires before the second check.
    setTimeout(() => {
      hasRested = true;
    }, 4);
    const [read] = await fileOperations.prepare([source]);
    assert.ok(read !== undefined && 'bytes' in read);
  });

  it('postpones a file if its drive takes too long to answer, but does not read it twice', async () => {
    const file = await write('slow.txt', 'text');
    let uses = 0;
    const source = changedOnceRead(file, () => uses++);
    const [late] = await fileOperations.prepare([source], AbortSignal.abort());
    await until(() => uses === 1);
    await fileOperations.prepare([{ path: await write('other.txt', 'text'), name: 'other.txt' }]);
    const [ready] = await fileOperations.prepare([source]);
    assert.deepEqual([late && 'fault' in late && late.fault.reason, ready && 'kind' in ready], ['busy', true]);
    // The path is used once to look up the file and once to check it, but not to read it.
    assert.equal(uses, 3);
  });

  it('postpones a file that was just emptied, because an editor may be saving it', async () => {
    const { path: file } = await folder.write('a.txt', '');
    assert.equal(await failure(file), 'later: changing sent as.txt');
  });
});

describe('A prepared file', () => {
  const changes: Record<string, (file: string) => void> = {
    'was changed': (file) => appendFileSync(file, 'more'),
    'was replaced by a file with the same size and modification time': (file) => {
      writeFileSync(`${file}.new`, 'TEXT');
      utimesSync(`${file}.new`, LONG_AGO_S, LONG_AGO_S);
      renameSync(`${file}.new`, file);
    },
    'was deleted': (file) => rmSync(file),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`is outdated if it ${what}`, async () => {
      const file = await write('a.txt', 'text');
      const one = await prepared(file);
      assert.ok(one.kind === 'small');
      assert.equal(await files.isUnchanged(file, one), true);
      change(file);
      assert.equal(await files.isUnchanged(file, one), false);
    });
  }

  it('does not count as outdated just because its inode is unknown', async () => {
    const file = await write('a.txt', 'text');
    const one = await prepared(file);
    assert.ok(one.kind === 'small');
    assert.equal(await files.isUnchanged(file, { ...one, version: { ...one.version, ino: 0 } }), true);
  });
});

describe('The file thread', () => {
  it('checks files in order, and returns an error for a missing file', async () => {
    const good = await write('good.txt', 'text');
    const wanted = ['good.txt', 'gone.txt', 'good.txt'].map((name) => ({
      path: folder.at(name).path,
      relativePath: `notes/${name}`,
    }));
    const checked = await files.check(wanted);
    const named = { from: 'disk', path: good, relativePath: 'notes/good.txt', name: 'good.txt' };
    assert.deepEqual(checked[0], { source: { ...named, sizeBytes: 4, modifiedMs: LONG_AGO_S * 1000 } });
    assert.deepEqual(
      checked.map((one) => one instanceof SourceError && one.reason),
      [false, 'missing', false],
    );
  });

  it('hashes files of any size, and returns undefined for a missing file', async () => {
    const large = 'a line of text\n'.repeat(100_000);
    assert.equal(await files.sha256(await write('large.txt', large)), sha256(large));
    assert.equal(await files.sha256(folder.at('gone.txt').path), undefined);
  });

  it('rejects every call if it cannot start', async () => {
    await assert.rejects(new Files(path.join(__dirname, 'noSuchProgram.js')).look([]), /Cannot find module/);
  });
});
