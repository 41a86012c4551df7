import assert from 'node:assert/strict';
import { type FileRules, PatternsTooComplexError } from '../../../src/files/fileRules';
import { batchesOf, MatchThread } from '../../../src/files/matchThread';
import { until } from '../tasks/until';

const usual: FileRules = { include: [], endings: ['.txt'], exclude: [], useIgnoreFiles: true, sensitive: [] };

const names = Array.from({ length: 20 }, (_, n) => `${n}${'a'.repeat(250)}.txt`);
const deep = `${'a/'.repeat(100)}b.txt`;

const ignoreFiles: Readonly<Record<string, string>> = {
  'of 270 KB': lines(16_000, (n) => `**/file${n}*.log`),
  'of 270 KB in one line': '*a'.repeat(135_000),
  'of folders that nearly fit': `${'**/a/'.repeat(20)}c`,
};

const globs: Readonly<Record<string, string>> = {
  'of folders': `${'**/a/'.repeat(90)}b`,
  'of braces in braces': '{a,'.repeat(100) + '}'.repeat(100),
  'of 270 KB': '[a*'.repeat(90_000),
};

describe('A thread that matches paths', () => {
  const threads = () => process.getActiveResourcesInfo().filter((what) => what === 'MessagePort').length;

  it('knows of each path below a folder why it is left out, by the rules and the ignore files there', async () => {
    await matching({}, async (thread) => {
      await thread.addFolder('one', { ...usual, exclude: ['old/'] });
      await thread.addFolder('two', { ...usual, include: ['*.md'] });
      await thread.addIgnoreFile('one', '', '*.tmp.txt\n/b/', '.gitignore');
      await thread.addIgnoreFile('one', 'a/', '!1.tmp.txt', 'a/.gitignore');
      const paths = ['c.txt', 'c.md', 'old/', 'x.tmp.txt', 'b/', 'a/', 'a/1.tmp.txt', 'a/2.tmp.txt'];
      const no = undefined;
      const reasons = [no, 'extension', 'excluded', 'ignored', 'ignored', no, no, 'ignored'];
      assert.deepEqual(await thread.reasonsAgainst('one', paths), reasons);
      assert.deepEqual(await thread.reasonsAgainst('two', ['b/', 'c.txt', 'c.md']), [no, 'notIncluded', no]);
    });
  });

  it('knows which paths may hold secrets', async () => {
    await matching({ sensitive: ['*.key', '.ssh/**'] }, async (thread) => {
      const paths = ['/a/b.key', '/a/b.txt', '/.ssh/c.txt'];
      assert.deepEqual([...(await thread.sensitiveAmong(paths))], ['/a/b.key', '/.ssh/c.txt']);
    });
  });

  it('is gone when it is ended, and what it has not responded to fails', async () => {
    await until(() => threads() === 0);
    const thread = new MatchThread([]);
    await thread.addFolder('', usual);
    assert.equal(threads(), 1);
    const pending = assert.rejects(thread.reasonsAgainst('', ['a.txt']), /has ended/);
    thread.end();
    await pending;
    await assert.rejects(thread.sensitiveAmong(['a.txt']), /has ended/);
    await until(() => threads() === 0);
  });

  describe('with patterns that would take it for ever', () => {
    const hostile = globs['of folders'] ?? '';
    const path = deep.repeat(5);

    const settings: readonly (readonly [source: string, some: Partial<FileRules>])[] = [
      ['datasetImport.folders.include', { include: [hostile] }],
      ['datasetImport.folders.exclude', { include: ['*'], exclude: ['*.md', hostile] }],
    ];
    for (const [source, some] of settings) {
      it(`names the setting that has them: ${source}`, async () => {
        const matched = matching({ deadlineMs: 300 }, async (thread) => {
          await thread.addFolder('', { ...usual, ...some });
          await thread.addIgnoreFile('', '', '*.md', '.gitignore');
          await thread.reasonsAgainst('', [path]);
        });
        await assert.rejects(matched, isTooComplex(source));
      });
    }

    it('names the setting that has them: datasetImport.sensitiveFiles', async () => {
      const matched = matching({ sensitive: ['*.pem', hostile], deadlineMs: 300 }, (thread) =>
        thread.sensitiveAmong([path]),
      );
      await assert.rejects(matched, isTooComplex('datasetImport.sensitiveFiles'));
    });

    it('names the one ignore file of several that has them, and all that waits for it fails', async () => {
      await matching({ deadlineMs: 300 }, async (thread) => {
        await thread.addFolder('', usual);
        await thread.addIgnoreFile('', '', '*.md', '.gitignore');
        await thread.addIgnoreFile('', 'x/', ignoreFiles['of folders that nearly fit'] ?? '', 'x/.gitignore');
        await thread.addIgnoreFile('', 'x/a/', '*.log', 'x/a/.gitignore');
        const waiting = [`x/${deep}`, 'y.txt'].map((one) => thread.reasonsAgainst('', [one]));
        for (const each of [...waiting, thread.sensitiveAmong(['z'])]) {
          await assert.rejects(each, isTooComplex('x/.gitignore'));
        }
        await assert.rejects(thread.sensitiveAmong(['z']), isTooComplex('x/.gitignore'));
      });
    });

    it('names those too that cannot be compiled at all', async () => {
      await matching({}, async (thread) => {
        await thread.addFolder('', usual);
        const tooLong = thread.addIgnoreFile('', '', ignoreFiles['of 270 KB in one line'] ?? '', '.gitignore');
        await assert.rejects(
          tooLong.then(() => thread.reasonsAgainst('', names)),
          isTooComplex('.gitignore'),
        );
      });
      const rules = { ...usual, exclude: [globs['of 270 KB'] ?? ''] };
      await assert.rejects(
        matching({}, (thread) => thread.addFolder('', rules)),
        isTooComplex('datasetImport.folders.exclude'),
      );
    });
  });

  for (const [what, text] of Object.entries(ignoreFiles)) {
    it(`does not hold up the one that asks: an ignore file ${what}`, async () => {
      await mustNotHoldUp(async (thread) => {
        await thread.addFolder('', usual);
        await thread.addIgnoreFile('', '', text, '.gitignore');
        await thread.reasonsAgainst('', [...names, deep]);
      });
    });
  }

  for (const [what, glob] of Object.entries(globs)) {
    it(`does not hold up the one that asks: a glob ${what}`, async () => {
      await mustNotHoldUp(async (thread) => {
        await thread.addFolder('', { ...usual, include: ['*'], exclude: Array<string>(60).fill(glob) });
        await thread.reasonsAgainst('', [...names, deep]);
      });
    });
  }

  it('does not hold up the one that asks, however many paths there are', async () => {
    const many = Array.from({ length: 100_000 }, (_, n) => `pictures/of/2024/picture-${n}.jpg`);
    await mustNotHoldUp(async (thread) => {
      await thread.addFolder('', usual);
      for (const batch of batchesOf(many)) await thread.reasonsAgainst('', batch);
    });
  });

  it('is done with a thousand plain lines for two thousand files long before the deadline', async () => {
    const text = lines(1000, (n) => [`*.${n}`, `folder${n}/`, `/x/${n}/y`, `name${n}`][n % 4] ?? '');
    const many = Array.from({ length: 2000 }, (_, n) => `docs/${n % 200}/${n}.txt`);
    await matching({}, async (thread) => {
      await thread.addFolder('', usual);
      await thread.addIgnoreFile('', '', text, '.gitignore');
      for (const batch of batchesOf(many)) {
        const reasons = await thread.reasonsAgainst('', batch);
        assert.deepEqual(new Set(reasons), new Set([undefined]));
      }
    });
  });
});

interface Options {
  readonly sensitive?: readonly string[];
  readonly deadlineMs?: number;
}

async function matching(
  { sensitive = [], deadlineMs }: Options,
  match: (thread: MatchThread) => Promise<unknown>,
): Promise<void> {
  const thread = new MatchThread(sensitive, deadlineMs);
  try {
    await match(thread);
  } finally {
    thread.end();
  }
}

/** Does what may be refused; measures how long this thread computes between two turns of its event loop at most. */
async function mustNotHoldUp(match: (thread: MatchThread) => Promise<unknown>): Promise<void> {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const measure = () => {
    // Time of the processor, as other processes may hold it meanwhile.
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const turns = setInterval(measure, 1);
  await matching({ deadlineMs: 500 }, match).catch((error: unknown) =>
    assert.ok(error instanceof PatternsTooComplexError, String(error)),
  );
  clearInterval(turns);
  measure();
  assert.ok(longestMs < 250, `${longestMs} ms`);
}

function isTooComplex(source: string): (error: unknown) => boolean {
  return (error) => error instanceof PatternsTooComplexError && error.source === source;
}

function lines(count: number, line: (n: number) => string): string {
  return Array.from({ length: count }, (_, n) => line(n)).join('\n');
}
