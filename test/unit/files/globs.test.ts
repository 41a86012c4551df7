import assert from 'node:assert/strict';
import { atAnyDepth, compileGlobs } from '../../../src/files/globs';

describe('A glob list', () => {
  const cases: readonly (readonly [
    globs: readonly string[],
    matching: readonly string[],
    others: readonly string[],
  ])[] = [
    [['*.md'], ['a.md', 'x/y/a.md', '.hidden/.a.md', 'A.MD'], ['a.md.txt', 'md', 'a.md/b']],
    [['docs/**'], ['docs', 'docs/a', 'docs/b/.c'], ['x/docs/a', 'docs.md']],
    [['/docs/*.md'], ['docs/a.md'], ['docs/x/a.md', 'x/docs/a.md']],
    [['build/'], ['build', 'build/x/y', 'a/build/x'], ['builds/x']],
    [
      ['{a,b}/*.[ct]sv', 'x?'],
      ['a/1.csv', 'b/1.tsv', 'q/xy'],
      ['c/1.csv', 'a/1.psv', 'xyz'],
    ],
    [
      ['*.env', '!sample.env'],
      ['a.env', 'x/.env'],
      ['sample.env', 'x/sample.env'],
    ],
    [['!a.txt'], [], ['a.txt', 'b.txt']],
    [['', '  ', '/', './', '!'], [], ['a', '/', 'x']],
    [
      ['[a', '(b', '+(c|d)', 'e\\'],
      ['[a', 'x/(b'],
      ['a', 'b', 'c', 'cc'],
    ],
    [
      ['Report (1).txt', 'a|b', '"q"', '\\(c\\)'],
      ['Report (1).txt', 'x/a|b', '"q"', '(c)'],
      ['Report 1.txt', 'a', 'b', 'q', 'c'],
    ],
    [
      ['[!a].txt', '[[:digit:]]'],
      ['b.txt', '!.txt', '1'],
      ['a.txt', '/.txt', 'd'],
    ],
    [[], [], ['a']],
  ];
  for (const [globs, matching, others] of cases) {
    const shown = JSON.stringify(globs.map((glob) => glob.slice(0, 20)));

    it(`${shown} matches only the expected paths`, () => {
      const test = compileGlobs(globs);
      for (const path of matching) assert.equal(test(path), true, path);
      for (const path of others) assert.equal(test(path), false, path);
    });
  }

  it('matches names that contain line breaks, backslashes or glob characters', () => {
    const test = compileGlobs(['*.pem', '**/.ssh/**']);
    for (const path of ['a\nb/x.pem', 'a\\b.pem', '\u2028.pem', '[a]*(b/x.pem', 'a\n/.ssh/\n'])
      assert.ok(test(path), path);
  });

  it('matches paths in any folder after being converted by atAnyDepth', () => {
    const test = compileGlobs(atAnyDepth(['.aws/credentials', '/.git/**', '**/x/y', '*.key', '!sample/*.key']));
    for (const path of ['.aws/credentials', 'home/me/.aws/credentials', 'a/.git/config', 'b/x/y', 'c/d.key']) {
      assert.ok(test(path), path);
    }
    for (const path of ['aws/credentials', 'home/.gitx/config', 'a/sample/d.key']) assert.ok(!test(path), path);
  });
});
