import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { IgnoreFiles } from '../../../src/files/ignoreFiles';
import { fc } from '../seededFastCheck';
import { TemporaryFiles } from '../service/temporaryFiles';

describe('Ignore files', () => {
  const cases: readonly (readonly [
    title: string,
    files: Readonly<Record<string, string>>,
    skipped: readonly string[],
    others: readonly string[],
  ])[] = [
    [
      "can re-include a folder that a parent folder's ignore file skips",
      { '': 'a/b/', a: '!b/' },
      [],
      ['a/b/', 'a/b/c.txt'],
    ],
    [
      'work in folders whose names contain special characters',
      { '[a] *!#': 'x', 'b\nc': 'x' },
      ['[a] *!#/x', 'b\nc/x'],
      ['a *!#/x', 'b', 'c/x', 'x'],
    ],
    [
      'can contain comments and empty patterns',
      { '': '# a\n\n/\n!\n   \n//', b: '#a\n/\n!\n ' },
      [],
      ['a', '# a', 'b/a', 'b/', 'b/c/'],
    ],
    [
      'can escape special characters',
      { '': '\\#a\n\\!b', c: '\\#a\n\\!b\nd\\ ' },
      ['#a', '!b', 'c/#a', 'c/!b', 'c/d '],
      ['a', 'b', 'c/d'],
    ],
    [
      'can have Windows line endings and a byte-order mark',
      { '': '\uFEFFa\r\nb\r\n', c: '\uFEFFa\r\n' },
      ['a', 'b', 'c/a'],
      ['a\r'],
    ],
  ];
  for (const [title, files, skipped, others] of cases) {
    it(title, () => {
      for (const path of skipped) assert.equal(isSkipped(read(files), path), true, JSON.stringify(path));
      for (const path of others) assert.equal(isSkipped(read(files), path), false, JSON.stringify(path));
    });
  }

  it('do not apply inside a folder that they ignore, so the user can still import that folder', () => {
    const files = read({ '': 'out\n*.txt', out: '/a.md' });
    assert.equal(files.ignores('out/'), true);
    assert.equal(files.ignores('out/a.md'), true);
    for (const path of ['out/b.txt', 'out/deep/', 'out/deep/b.txt']) assert.equal(files.ignores(path), false, path);
  });
});

describe('Randomly generated ignore files', () => {
  const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
  const joined = (part: fc.Arbitrary<string>, maxLength: number, between = '') =>
    fc.array(part, { minLength: 1, maxLength }).map((parts) => parts.join(between));

  // The `ignore` library treats consecutive asterisks next to a letter differently than Git does, as its README
  // explains.
  const name = joined(
    oneOf(
      'a',
      'a',
      'b',
      'B',
      '.',
      '-',
      '*',
      '?',
      '[ab]',
      '[a-b]',
      '[!a]',
      '[^b-b]',
      '[[:alpha:]]',
      '[]a]',
      '\\*',
      '\\a',
      '{',
    ),
    3,
  ).filter((text) => !text.includes('**'));
  const pattern = joined(fc.oneof({ arbitrary: name, weight: 4 }, fc.constant('**')), 3, '/');
  const line = fc
    .tuple(oneOf('', '', '!'), oneOf('', '', '/'), pattern, oneOf('', '', '/', '  ', '/ ', '\\ '))
    .map((parts) => parts.join(''));
  const text = fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.join('\n'));
  const texts = fc.record({ '': text, a: text, 'a/b': text }, { requiredKeys: [] });

  const names = ['a', 'b', 'B', 'a.b', '-', 'a*', ' ', 'ab '];
  const folders = ['', 'a', 'b', 'a/b', 'a/b/a', 'a/.b', 'b/a'];
  const paths = folders.flatMap((folder) =>
    names
      .map((each) => (folder === '' ? each : `${folder}/${each}`))
      .map((each) => (folders.includes(each) ? `${each}/` : each)),
  );

  it('exclude exactly the files that Git ignores', async () => {
    await using repository = await TemporaryFiles.make();
    const samples = fc.sample(texts, 150);
    for (const [index, files] of samples.entries()) {
      for (const folder of folders) mkdirSync(join(repository.folder, String(index), folder), { recursive: true });
      for (const [folder, content] of Object.entries(files))
        writeFileSync(join(repository.folder, String(index), folder, '.gitignore'), content);
    }
    const git = (args: readonly string[], input = '') =>
      spawnSync('git', ['-c', 'core.ignoreCase=false', ...args], { cwd: repository.folder, input, encoding: 'utf8' });
    git(['init', '--quiet']);
    // Given a path with a trailing slash, Git would check the folder's contents instead of the folder.
    const withoutSlash = (path: string) => path.replace(/\/$/, '');
    const input = [...samples.keys()].flatMap((index) => paths.map((path) => `${index}/${withoutSlash(path)}`));
    const { status, stdout } = git(['check-ignore', '--no-index', '--stdin', '-z'], input.join('\0'));
    assert.equal(status, 0);
    const ignored = new Set(stdout.split('\0'));
    for (const [index, files] of samples.entries()) {
      const ours = read(files);
      assert.deepEqual(
        paths.filter((path) => isSkipped(ours, path)),
        paths.filter((path) => ignored.has(`${index}/${withoutSlash(path)}`)),
        JSON.stringify(files),
      );
    }
  });
});

function read(files: Readonly<Record<string, string>>): IgnoreFiles {
  const read = new IgnoreFiles();
  for (const [folder, text] of Object.entries(files)) read.add(folder === '' ? '' : `${folder}/`, text);
  return read;
}

/** Whether a path or any of its parent folders is ignored. Folder paths end in `/`. */
function isSkipped(files: IgnoreFiles, path: string): boolean {
  for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
    if (files.ignores(path.slice(0, end + 1))) return true;
  }
  return !path.endsWith('/') && files.ignores(path);
}
