import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../editor/temporaryFolder';
import { cleanCommitSeconds } from '../../release/cleanCommitSeconds';
import { releaseNotes } from '../../release/releaseNotes';

const changelog = `# Changelog

## [Unreleased]

- Later.

## [1.2.0] - 2030-01-31

The second version.

### Added

- This.

## [1.1.0] - 2030-01-01

## [1.0.0] - 2029-12-31

- That.
`;

describe('The release notes', () => {
  it("contain the version's changelog section, and cannot be prepared if that section is missing or empty", () => {
    assert.equal(releaseNotes(changelog, '1.2.0'), 'The second version.\n\n### Added\n\n- This.\n');
    assert.equal(releaseNotes(changelog, '1.0.0'), '- That.\n');
    assert.throws(() => releaseNotes(changelog, '1.1.0'), /says nothing about 1\.1\.0/);
    assert.throws(() => releaseNotes(changelog, '1.2'), /has no section "## \[1\.2\]"/);
  });
});

describe('A commit', () => {
  it('can be released only if the working tree is clean', async () => {
    const { path, remove } = temporaryFolder('di-release');
    const env = { ...process.env, GIT_COMMITTER_DATE: '2030-01-01T00:00:00Z' };
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
        cwd: path,
        encoding: 'utf8',
        env,
      });
    git('init', '--quiet');
    writeFileSync(join(path, 'a.txt'), 'a');
    await assert.rejects(cleanCommitSeconds(path), /Not committed:\n\?\? a\.txt/);
    git('add', '.');
    git('commit', '--quiet', '-m', 'a');
    assert.equal(await cleanCommitSeconds(path), Date.UTC(2030, 0, 1) / 1000);
    writeFileSync(join(path, 'a.txt'), 'b');
    await assert.rejects(cleanCommitSeconds(path), /Not committed:\n M a\.txt/);
    remove();
  });
});
