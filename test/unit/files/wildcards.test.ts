import assert from 'node:assert/strict';
import fc from 'fast-check';
import ignore from 'ignore';
import picomatch from 'picomatch';
import { IgnoreFiles } from '../../../src/files/gitignore';
import { compileGlobs } from '../../../src/files/globs';
import { MatchBudget } from '../../../src/files/matchBudget';
import { type Dialect, fitsPath, namesOf, readWildcards } from '../../../src/files/wildcards';
import { leavesOut } from './leavesOut';

const GLOB = { ignoreCase: true, isGlob: true };
const AS_GIT = { ignoreCase: false, isGlob: false };

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const joined = (part: fc.Arbitrary<string>, maxLength: number, between = '') =>
  fc.array(part, { minLength: 1, maxLength }).map((parts) => parts.join(between));

const name = joined(oneOf('a', 'b', 'B', '.', '-'), 4).filter((text) => !/^\.+$/.test(text));
const path = joined(name, 4, '/');
const usual = oneOf('a', 'a', 'b', 'B', '.', '-', '*', '*', '?', '[ab]', '[a-b]', '\\*', '\\a');

describe('Wildcards', () => {
  const globName = joined(fc.oneof(usual, oneOf('{a,b}', '{a,*b}', '{a*,{b,.}b}')), 4);
  const glob = fc.oneof(
    joined(fc.oneof({ arbitrary: globName, weight: 3 }, fc.constant('**')), 4, '/').filter(
      // Of `**` in a name, or after another, picomatch has a mind of its own; no name begins with what it leaves out.
      // A glob of ours may not stand for thousands; and `{a*,b}/**` is `a*/**` or `b/**`, of which one alone fits its
      // folder.
      (text) =>
        text.split('{').length < 6 &&
        !/\}\/\*\*$/.test(text) &&
        !/[^/]\*\*|\*\*[^/]|\*\*\/\*\*/.test(text) &&
        !/(^|\/)\.+(\/|$)/.test(text),
    ),
    oneOf('{a,b/*}/a', '{a/**/b,b}'),
  );

  it('of globs fit what they fit for picomatch', async () => {
    await fc.assert(
      fc.asyncProperty(glob, path, async (text, file) => {
        const full = /\/(?=[^/])/.test(text) ? text : `**/${text}`;
        const expected = picomatch.makeRe(full, { dot: true, flags: 'is', noextglob: true, nonegate: true });
        const fits = compileGlobs([text], '', new MatchBudget());
        assert.equal(await fits(file), expected.test(file), `${text} ${file} ${expected}`);
      }),
      { numRuns: 3000 },
    );
  });

  it('of ignore files leave out what they leave out for the package ignore', async () => {
    const pattern = joined(
      fc.oneof(
        {
          arbitrary: joined(fc.oneof(usual, oneOf('**', '[!a]', '[^b-b]', '[[:alpha:]]', '[]a]', '{a,b}', '\\ ')), 3),
          weight: 3,
        },
        fc.constant('**'),
      ),
      3,
      '/',
    );
    // Of which the package thinks otherwise than of `**`.
    const single = pattern.filter((text) => !/\*\*\/\*\*/.test(text));
    const line = fc
      .tuple(oneOf('', '', '!'), oneOf('', '', '/'), single, oneOf('', '', '/', '  '))
      .map((parts) => parts.join(''));
    const lines = fc.array(line, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(lines, path, oneOf('', '/'), async (texts, file, end) => {
        const theirs = ignore({ ignoreCase: false, allowRelativePaths: true }).add(texts);
        const ours = await IgnoreFiles.none.with('', texts.join('\n'), '', new MatchBudget());
        assert.equal(await leavesOut(ours, file + end), theirs.ignores(file + end));
      }),
      { numRuns: 3000 },
    );
  });

  const hostile = [
    '*a*a*a*a*a*b',
    '**/a/**/a/**/a/**/a/**/b',
    '*'.repeat(2000),
    '?*'.repeat(500),
    `${'**/'.repeat(300)}b`,
    '[a*'.repeat(300),
    `*[${'b'.repeat(300)}]*b`,
  ];
  const files = ['a'.repeat(250), `${'a'.repeat(120)}.txt`, 'a/'.repeat(100), 'a*{[?'.repeat(50)];

  for (const dialect of [GLOB, AS_GIT]) {
    it(`take no more steps than what they are long, times the path: ${nameOf(dialect)}`, () => {
      for (const text of hostile) for (const file of files) mustBeLinear(text, file, dialect);
    });

    it(`take no more steps, whatever they are: ${nameOf(dialect)}`, () => {
      const text = joined(oneOf('a', '*', '**', '/', '/**/', '?', '[', ']', '!', '\\'), 60);
      const long = joined(oneOf('a', 'a', 'b', '/'), 300);
      fc.assert(
        fc.property(text, long, (wild, file) => mustBeLinear(wild, file, dialect)),
        { numRuns: 2000 },
      );
    });
  }
});

function mustBeLinear(text: string, file: string, dialect: Dialect): void {
  const [pattern] = readWildcards(text, dialect);
  if (pattern === undefined) return;
  const budget = new CountingBudget();
  fitsPath(pattern, namesOf(file, dialect), budget);
  assert.ok(budget.steps <= 4 * (text.length + 1) * (file.length + 1), `${text.slice(0, 30)}: ${budget.steps}`);
}

class CountingBudget extends MatchBudget {
  steps = 0;

  override step(count = 1): void {
    this.steps += count;
  }
}

function nameOf({ isGlob }: Dialect): string {
  return isGlob ? 'globs' : 'ignore files';
}
