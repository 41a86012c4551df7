import assert from 'node:assert/strict';
import fc from 'fast-check';
import ignore from 'ignore';
import picomatch from 'picomatch';
import { Automaton } from '../../../src/tasks/automaton';
import { IgnoreFiles } from '../../../src/tasks/gitignore';
import { compileGlobs } from '../../../src/tasks/globs';
import { readWildcards } from '../../../src/tasks/wildcards';

const LENIENT = { ignoreCase: true, isLenient: true, fitsFolder: true };
const AS_GIT = { ignoreCase: false, isLenient: false, fitsFolder: false };

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
      (text) => !/[^/]\*\*|\*\*[^/]|\*\*\/\*\*/.test(text) && !/(^|\/)\.+(\/|$)/.test(text),
    ),
    oneOf('{a,b/*}/a', '{a/**/b,b}'),
  );

  it('of globs fit what they fit for picomatch', () => {
    fc.assert(
      fc.property(glob, path, (text, file) => {
        const full = /\/(?=[^/])/.test(text) ? text : `**/${text}`;
        const expected = picomatch.makeRe(full, { dot: true, flags: 'is', noextglob: true, nonegate: true });
        assert.equal(compileGlobs([text])(file), expected.test(file), `${text} ${file} ${expected}`);
      }),
      { numRuns: 3000 },
    );
  });

  it('of ignore files leave out what they leave out for the package ignore', () => {
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
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), path, fc.boolean(), (lines, file, isFolder) => {
        const theirs = ignore({ ignoreCase: false, allowRelativePaths: true }).add(lines);
        const ours = IgnoreFiles.none.with('', lines.join('\n'));
        const expected = theirs.ignores(isFolder ? `${file}/` : file);
        assert.equal(isFolder ? ours.ignoresFolder(file) : ours.ignoresFile(file), expected);
      }),
      { numRuns: 3000 },
    );
  });

  const hostile = [
    '*a*a*a*a*a*b',
    '**/a/**/a/**/a/**/a/**/b',
    '{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}{a,a}b',
    '{a*,*a}{a*,*a}{a*,*a}{a*,*a}b',
    '{'.repeat(300) + '{,a}'.repeat(100),
    '{a,'.repeat(300) + '}'.repeat(300),
    '*'.repeat(2000),
    '?*'.repeat(500),
    '[a*'.repeat(300),
  ];
  const files = ['a'.repeat(250), `${'a'.repeat(120)}.txt`, 'a/'.repeat(400), 'a*{[?'.repeat(50)];

  for (const dialect of [LENIENT, AS_GIT]) {
    it(`take no more steps than what they are long, times the text: ${dialect.isLenient ? 'globs' : 'ignore files'}`, () => {
      for (const text of hostile) {
        const pattern = readWildcards(text, dialect);
        for (const file of pattern === undefined ? [] : files) {
          const automaton = new Automaton([pattern ?? []]);
          automaton.lastFit(file);
          assert.ok(automaton.steps <= 2 * text.length * file.length, `${text.slice(0, 30)}: ${automaton.steps}`);
        }
      }
    });

    it(`take no more steps, whatever they are: ${dialect.isLenient ? 'globs' : 'ignore files'}`, () => {
      const text = joined(oneOf('a', '*', '**', '/', '/**/', '{', ',', '}', '[', ']', '!', '\\'), 60);
      const long = joined(oneOf('a', 'a', 'b', '/'), 300);
      fc.assert(
        fc.property(text, long, (wild, file) => {
          const pattern = readWildcards(wild, dialect);
          if (pattern === undefined) return;
          const automaton = new Automaton([pattern]);
          automaton.lastFit(file);
          assert.ok(automaton.steps <= 2 * wild.length * file.length, String(automaton.steps));
        }),
        { numRuns: 2000 },
      );
    });
  }

  it('that were read before take no step again, and forget what would fill the memory', () => {
    const automaton = new Automaton([readWildcards('*a?????????????????b', LENIENT) ?? []]);
    automaton.lastFit('a/b');
    const { steps } = automaton;
    assert.equal(automaton.lastFit('a/b'), undefined);
    assert.equal(automaton.steps, steps);
    const texts = Array.from(
      { length: 3000 },
      (_, index) => `${index.toString(2).replaceAll('0', 'a')}a${'1'.repeat(17)}b`,
    );
    for (const text of texts) assert.equal(automaton.lastFit(text), 0);
    assert.equal(automaton.lastFit('b'), undefined);
  });

  it('give the last one that fits', () => {
    const patterns = ['a*', '*b', 'a?', 'c'].map((text) => readWildcards(text, AS_GIT) ?? []);
    const automaton = new Automaton(patterns);
    assert.deepEqual(
      ['ab', 'a', 'xb', 'c', 'd', ''].map((text) => automaton.lastFit(text)),
      [2, 0, 1, 3, undefined, undefined],
    );
  });
});
