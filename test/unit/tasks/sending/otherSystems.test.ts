// Simulates Windows, macOS and unusual disks by using paths and error codes that occur on them.
import assert from 'node:assert/strict';
import { sourceReason } from '../../../../src/service/content/fileBody';
import { checkFile, knownPath } from '../../../../src/tasks/sending/checkedSource';
import { realPathOf } from '../../../../src/tasks/sending/fileOperations';
import { TemporaryFiles } from '../../service/temporaryFiles';

describe('File path normalization', () => {
  const cases: Record<string, readonly [given: string, resolved: string, known: string]> = {
    'resolves links': ['c:\\link\\a.txt', 'C:\\docs\\a.txt', 'C:\\docs\\a.txt'],
    'keeps the drive letter of a network drive': ['z:\\docs\\a.txt', '\\\\nas\\share\\docs\\a.txt', 'Z:\\docs\\a.txt'],
    'keeps the host that the user entered': ['\\\\corp\\dfs\\a.txt', '\\\\NAS7\\share\\a.txt', '\\\\corp\\dfs\\a.txt'],
    'resolves links on the same network host': ['\\\\nas\\s\\link', '\\\\NAS\\s\\a.txt', '\\\\NAS\\s\\a.txt'],
  };
  for (const [what, [given, resolved, known]] of Object.entries(cases))
    it(`${what} on Windows`, () => assert.equal(knownPath(given, resolved, 'win32'), known));

  it('converts file names to NFC on macOS', () => {
    for (const name of ['résumé.txt', 'パンフ.md', '안내.csv']) {
      const stored = `/Users/me/${name.normalize('NFD')}`;
      for (const form of ['NFC', 'NFD'])
        assert.equal(
          knownPath(`/Users/me/${name.normalize(form)}`, stored, 'darwin'),
          `/Users/me/${name.normalize('NFC')}`,
        );
    }
  });

  it('keeps the Unicode normalization form on Linux, where NFC and NFD names are different files', async () => {
    const [nfc, nfd] = ['é.txt'.normalize('NFC'), 'é.txt'.normalize('NFD')];
    await using folder = await TemporaryFiles.make();
    for (const name of [nfc, nfd]) {
      const { path } = await folder.write(name, name);
      assert.equal((await checkFile({ path, relativePath: name })).source.path, path);
    }
  });
});

describe('A previously uploaded file', () => {
  const resolvesTo = (path: string) => async () => path;

  it('counts as missing if the case of its name has changed, even on a case-insensitive disk', async () => {
    assert.equal(await realPathOf('/docs/A.md', resolvesTo('/docs/a.md')), undefined);
    assert.equal(await realPathOf('/Docs/a.md', resolvesTo('/docs/a.md')), undefined);
    assert.equal(await realPathOf('/docs/É.md', resolvesTo('/docs/é.md')), undefined);
  });

  it('counts as existing if its path still resolves, even if its folder was replaced by a link', async () => {
    assert.equal(await realPathOf('/docs/a.md', resolvesTo('/docs/a.md')), '/docs/a.md');
    assert.equal(await realPathOf('/docs/a.md', resolvesTo('/moved/a.md')), '/moved/a.md');
  });
});

describe('A file that cannot be read', () => {
  const reasons: Record<string, readonly string[]> = {
    busy: [
      // Windows: a sharing or lock violation, and a placeholder for a cloud file whose sync app isn't running.
      'EBUSY',
      'UNKNOWN',
      // macOS: a placeholder for a cloud file that can't be downloaded. Linux: a stale NFS handle, and a FUSE drive
      // whose process has ended.
      'Unknown system error -11',
      'Unknown system error -116',
      'ENOTCONN',
      'EAGAIN',
      'ETIMEDOUT',
      'EHOSTDOWN',
      'EMFILE',
      'ENFILE',
    ],
    unreadable: ['EACCES', 'EPERM', 'EIO', 'ELOOP'],
    missing: ['ENOENT', 'ENOTDIR'],
    forbiddenHost: ['ERR_UNC_HOST_NOT_ALLOWED'],
  };
  for (const [reason, codes] of Object.entries(reasons))
    it(`is reported as "${reason}" if the error code is ${codes.join(' or ')}`, () => {
      for (const code of codes) assert.equal(sourceReason('/docs/a.txt', Object.assign(new Error(), { code })), reason);
    });
});
