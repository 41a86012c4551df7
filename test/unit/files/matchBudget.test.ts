import assert from 'node:assert/strict';
import { FileFilter, type FileRules } from '../../../src/files/fileRules';
import { IgnoreFiles } from '../../../src/files/gitignore';
import { MatchBudget, PatternsTooComplexError } from '../../../src/files/matchBudget';

const long = { name: `${'a'.repeat(250)}.txt`, path: `${'a/'.repeat(2000)}a.txt` };
const stars = lines(50, () => `${'*a'.repeat(120)}b`);

const files: Readonly<Record<string, string>> = {
  'of 270 KB': lines(16_000, (n) => `**/file${n}*.log`),
  'of 270 KB in one line': '*a'.repeat(135_000),
  'of 270 KB of folders': '**/'.repeat(90_000),
  'of 270 KB of slashes': '/'.repeat(270_000),
  'of 270 KB between brackets': `*[${'b'.repeat(270_000)}]*`,
  'of 50 lines of stars': stars,
  'of 2,000 lines of stars that nearly fit': lines(2000, () => `${`*${'a'.repeat(50)}b`.repeat(3)}*`),
  'of 50 lines of stars between slashes': lines(50, () => `${'**/a/*a*/'.repeat(300)}b`),
};

const globs: Readonly<Record<string, string>> = {
  'of stars': '*a'.repeat(200),
  'of folders': '**/a/'.repeat(90),
  'of braces': '{a,b}'.repeat(40),
  'of braces in braces': '{a,'.repeat(100) + '}'.repeat(100),
  'of open brackets': `${'[a\\]'.repeat(14)}${'b'.repeat(400)}`,
  'of open brackets and stars': '[a*'.repeat(150),
  'of 270 KB': '[a*'.repeat(90_000),
};

describe('Patterns of a workspace', () => {
  for (const [what, text] of Object.entries(files)) {
    it(`do not hold up what else there is to do: an ignore file ${what}`, async () => {
      await mustNotBlock(async () => {
        const budget = new MatchBudget();
        const ignored = await IgnoreFiles.none.with('', text, '.gitignore', budget);
        for (let n = 0; n < 200; n++) {
          await ignored.ignores(`${n}${long.name}`, false, budget);
          await ignored.ignores(`${n}${long.path}`, false, budget);
        }
      });
    });
  }

  for (const [what, glob] of Object.entries(globs)) {
    it(`do not hold up what else there is to do: a glob ${what}`, async () => {
      await mustNotBlock(async () => {
        const filter = new FileFilter(rules({ exclude: Array<string>(60).fill(glob), sensitive: [glob] }));
        for (let n = 0; n < 200; n++) {
          await filter.reasonAgainst(`${n}${long.name}`);
          await filter.isSensitive(`/${n}${long.path}`);
        }
      });
    });
  }

  it('take a few hundred million steps at most, and then it is said which file or setting they are in', async () => {
    const budget = new MatchBudget();
    const usual = await IgnoreFiles.none.with('', '*.log', '.gitignore', budget);
    const ignored = await usual.with(
      'a',
      files['of 2,000 lines of stars that nearly fit'] ?? '',
      'a/.gitignore',
      budget,
    );
    const askOften = async () => {
      for (let n = 0; n < 1000; n++) await ignored.ignores(`a/${n}${long.name}`, false, budget);
    };
    await assert.rejects(askOften, isTooComplex('a/.gitignore'));
    const glob = `${`*${'a'.repeat(100)}b`.repeat(4)}*`;
    const filter = new FileFilter(rules({ include: ['*'], exclude: Array<string>(60).fill(glob) }));
    const judgeOften = async () => {
      for (let n = 0; n < 10_000; n++) await filter.reasonAgainst(`${n}${long.name}`);
    };
    await assert.rejects(judgeOften, isTooComplex('datasetImport.folders.exclude'));
  });

  it('are refused at once where one alone takes too much', async () => {
    const oneLine = IgnoreFiles.none.with('', files['of 270 KB in one line'] ?? '', '.gitignore', new MatchBudget());
    await assert.rejects(oneLine, isTooComplex('.gitignore'));
    for (const glob of [globs['of braces'] ?? '', globs['of 270 KB'] ?? '']) {
      assert.throws(() => new FileFilter(rules({ include: [glob] })), isTooComplex('datasetImport.folders.include'));
      assert.throws(() => new FileFilter(rules({ sensitive: [glob] })), isTooComplex('datasetImport.sensitiveFiles'));
    }
  });

  it('may be many where they are plain: a thousand lines for twenty thousand files', async () => {
    const budget = new MatchBudget();
    const text = lines(1000, (n) => [`*.${n}`, `folder${n}/`, `/x/${n}/y`, `name${n}`][n % 4] ?? '');
    const ignored = await IgnoreFiles.none.with('', text, '.gitignore', budget);
    const begun = performance.now();
    for (let n = 0; n < 20_000; n++) assert.equal(await ignored.ignores(`docs/${n}/part.md`, false, budget), false);
    assert.ok(performance.now() - begun < 30_000);
  });
});

describe('Files that no pattern is tried on', () => {
  for (const [which, ending] of Object.entries({ 'of another ending': 'jpg', 'of an ending that is taken': 'txt' })) {
    it(`do not hold up what else there is to do, however many there are: ${which}`, async () => {
      const filter = new FileFilter(rules({}));
      let turns = 0;
      const onTurn = () => {
        turns += 1;
        turn = setImmediate(onTurn);
      };
      let turn = setImmediate(onTurn);
      for (let n = 0; n < 20_000; n++) await filter.reasonAgainst(`pictures/of/2024/picture-${n}.${ending}`);
      clearImmediate(turn);
      assert.ok(turns >= 3, `${turns} turns`);
    });
  }
});

/** Does what may be refused; measures how long it computes between two turns of the event loop at most. */
async function mustNotBlock(work: () => Promise<void>): Promise<void> {
  let longestMs = 0;
  let before = process.cpuUsage();
  const measure = () => {
    // Time of the processor, as others may hold it meanwhile.
    const { user, system } = process.cpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.cpuUsage();
  };
  const onTurn = () => {
    measure();
    turn = setImmediate(onTurn);
  };
  let turn = setImmediate(onTurn);
  await work().catch((error: unknown) => assert.ok(error instanceof PatternsTooComplexError, String(error)));
  clearImmediate(turn);
  measure();
  assert.ok(longestMs < 500, `${longestMs} ms`);
}

function isTooComplex(source: string): (error: unknown) => boolean {
  return (error) => error instanceof PatternsTooComplexError && error.source === source;
}

function lines(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => line(n)).join('\n');
}

function rules(some: Partial<FileRules>): FileRules {
  return { include: [], endings: ['.txt'], exclude: [], useIgnoreFiles: true, sensitive: [], ...some };
}
