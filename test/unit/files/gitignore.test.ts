import assert from 'node:assert/strict';
import { IgnoreFiles } from '../../../src/files/gitignore';
import { MatchBudget } from '../../../src/files/matchBudget';
import { leavesOut } from './leavesOut';

describe('Ignore files', () => {
  it('leave out nothing where there are none', async () => {
    for (const path of ['a', 'a/']) assert.equal(await leavesOut(IgnoreFiles.none, path), false);
  });

  const cases: readonly (readonly [
    does: string,
    files: Readonly<Record<string, string>>,
    leftOut: readonly string[],
    others: readonly string[],
  ])[] = [
    [
      'name files at any depth, or tied to their folder',
      { '': '*.log\n/a.txt\nb/c.txt' },
      ['x.log', 'd/x.log', 'a.txt', 'b/c.txt'],
      ['d/a.txt', 'd/b/c.txt'],
    ],
    ['name folders alone by a slash at the end', { '': 'build/' }, ['build/', 'a/build/'], ['build']],
    ['take back what came before', { '': '*.log\n!keep.log' }, ['a.log'], ['keep.log', 'd/keep.log']],
    ['cannot take back what is in a folder that is left out', { '': 'a/\n!a/b.txt' }, ['a/b.txt'], []],
    [
      'deeper down have the last word',
      { '': '*.log', a: '!*.log', 'a/b': 'x.log' },
      ['x.log', 'a/b/x.log'],
      ['a/x.log', 'a/b/y.log'],
    ],
    ['deeper down may take back a folder', { '': 'a/b/', a: '!b/' }, [], ['a/b/', 'a/b/c.txt']],
    ['hold for their own folder only', { a: '/x\n*.y' }, ['a/x', 'a/z.y', 'a/b/z.y'], ['x', 'z.y', 'a/b/x', 'b/a/x']],
    [
      'of folders with strange names hold there',
      { '[a] *!#': 'x', 'b\nc': 'x' },
      ['[a] *!#/x', 'b\nc/x'],
      ['a *!#/x', 'b', 'c/x', 'x'],
    ],
    [
      'skip comments and lines that say nothing',
      { '': '# a\n\n/\n!\n   \n//', b: '#a\n/\n!\n ' },
      [],
      ['a', '# a', 'b/a', 'b/', 'b/c/'],
    ],
    [
      'take escaped signs for what they are',
      { '': '\\#a\n\\!b', c: '\\#a\n\\!b\nd\\ ' },
      ['#a', '!b', 'c/#a', 'c/!b', 'c/d '],
      ['a', 'b', 'c/d'],
    ],
    [
      'may have line ends of Windows and a byte-order mark',
      { '': '\uFEFFa\r\nb\r\n', c: '\uFEFFa\r\n' },
      ['a', 'b', 'c/a'],
      ['a\r'],
    ],
  ];
  for (const [does, files, leftOut, others] of cases) {
    it(does, async () => {
      let all = IgnoreFiles.none;
      for (const [folder, text] of Object.entries(files)) all = await all.with(folder, text, folder, new MatchBudget());
      for (const path of leftOut) assert.equal(await leavesOut(all, path), true, JSON.stringify(path));
      for (const path of others) assert.equal(await leavesOut(all, path), false, JSON.stringify(path));
    });
  }
});
