// Behavior on Windows, macOS and special disks, tested with the values that these systems report.
import assert from 'node:assert/strict';
import { sourceReason } from '../../../../src/service/content/fileBody';
import { checkFile, knownPath } from '../../../../src/tasks/sending/checkedSource';
import { isMissing } from '../../../../src/tasks/sending/fileOperations';
import { TemporaryFiles } from '../../service/temporaryFiles';

describe('The path that identifies a file', () => {
  const cases: Record<string, readonly [given: string, resolved: string, known: string]> = {
    'has its links resolved': ['c:\\link\\a.txt', 'C:\\docs\\a.txt', 'C:\\docs\\a.txt'],
    'has the letter of a network drive': ['z:\\docs\\a.txt', '\\\\nas\\share\\docs\\a.txt', 'Z:\\docs\\a.txt'],
    'has the host that the user chose': ['\\\\corp\\dfs\\a.txt', '\\\\NAS7\\share\\a.txt', '\\\\corp\\dfs\\a.txt'],
    'has its links resolved on the same host': ['\\\\nas\\s\\link', '\\\\NAS\\s\\a.txt', '\\\\NAS\\s\\a.txt'],
  };
  for (const [what, [given, resolved, known]] of Object.entries(cases))
    it(`${what} on Windows`, () => assert.equal(knownPath(given, resolved, 'win32'), known));

  it('is in NFC on macOS', () => {
    for (const name of ['résumé.txt', 'パンフ.md', '안내.csv']) {
      const stored = `/Users/me/${name.normalize('NFD')}`;
      for (const form of ['NFC', 'NFD'])
        assert.equal(
          knownPath(`/Users/me/${name.normalize(form)}`, stored, 'darwin'),
          `/Users/me/${name.normalize('NFC')}`,
        );
    }
  });

  it('keeps its Unicode form on Linux, where NFC and NFD name different files', async () => {
    const [nfc, nfd] = ['é.txt'.normalize('NFC'), 'é.txt'.normalize('NFD')];
    await using folder = await TemporaryFiles.make();
    for (const name of [nfc, nfd]) {
      const { path } = await folder.write(name, name);
      assert.equal((await checkFile(path, name)).source.path, path);
    }
  });
});

describe('A file that a destination received', () => {
  const found = (path: string) => async () => path;

  it('is missing if only the case of its name has changed on a disk that ignores case', async () => {
    assert.equal(await isMissing('/docs/A.md', found('/docs/a.md')), true);
    assert.equal(await isMissing('/Docs/a.md', found('/docs/a.md')), true);
    assert.equal(await isMissing('/docs/É.md', found('/docs/é.md')), true);
  });

  it('exists if it is found by its name or through a link that replaced its folder', async () => {
    assert.equal(await isMissing('/docs/a.md', found('/docs/a.md')), false);
    assert.equal(await isMissing('/docs/a.md', found('/moved/a.md')), false);
  });
});

describe('A file that the system refuses to read', () => {
  const reasons: Record<string, readonly string[]> = {
    busy: [
      // Windows: a sharing or lock violation, and a placeholder whose cloud drive isn't running.
      ...['EBUSY', 'UNKNOWN'],
      // macOS: a placeholder that can't be downloaded. Linux: a stale NFS handle, and a drive in user space that has ended.
      ...['Unknown system error -11', 'Unknown system error -116', 'ENOTCONN'],
      ...['EAGAIN', 'ETIMEDOUT', 'EHOSTDOWN'],
    ],
    unreadable: ['EACCES', 'EPERM', 'EIO', 'ELOOP'],
    missing: ['ENOENT', 'ENOTDIR'],
    forbiddenHost: ['ERR_UNC_HOST_NOT_ALLOWED'],
  };
  for (const [reason, codes] of Object.entries(reasons))
    it(`is ${reason} by the error codes of Windows, macOS and Linux: ${codes.join(', ')}`, () => {
      for (const code of codes) assert.equal(sourceReason('/docs/a.txt', Object.assign(new Error(), { code })), reason);
    });
});
