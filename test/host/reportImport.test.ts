import assert from 'node:assert/strict';
import { type ReportDeps, reportImport } from '../../src/editor/reportImport';
import type { Action } from '../../src/editor/userError';
import { BadAnswerError, CancelledError, ConnectError, ConnectionLostError } from '../../src/service/errors';
import type { Outcome } from '../../src/service/outcome';
import type { TaskId } from '../../src/service/taskId';
import type { BegunTask } from '../../src/service/taskReport';
import type { ImportResult } from '../../src/tasks/importer';
import { newTask } from '../../src/tasks/trackedTask';

type Ended = Outcome<BegunTask>;

const answer = { envelope: {}, deviations: [] };
const from = { pointer: '/taskId', how: 'recognised' } as const;
const accepted: Ended = { kind: 'accepted', answer, taken: { taskId: '9007199254740993123' as TaskId, from } };
const withoutId: Ended = { kind: 'accepted', answer, taken: { taskId: undefined, from: undefined } };
const refusal = { by: 'envelope', status: 200, code: '40101', message: 'No such key', answer } as const;
const rejected: Ended = { kind: 'rejected', refusal, badKey: false, tryLater: false };
const badKey: Ended = { kind: 'rejected', refusal, badKey: true, tryLater: false };
const notSent: Ended = { kind: 'notSent', cause: new ConnectError('refused', 'a.example:443', { cause: 'no' }) };
const cancelled: Ended = { kind: 'notSent', cause: new CancelledError() };
const lost: Ended = {
  kind: 'unconfirmed',
  cause: new ConnectionLostError('reset', 'a.example:443'),
  sentBytes: 1024,
  totalBytes: 2048,
};
const serverError: Ended = {
  kind: 'unconfirmed',
  cause: new BadAnswerError('serverError', 502, 'Bad Gateway'),
  sentBytes: 2048,
  totalBytes: 2048,
};

describe('The report of an import', () => {
  it("gives an accepted file's task id to the digit", async () => {
    const [said] = await told([accepted]);
    assert.equal(said?.how, 'done');
    assert.equal(said?.words, "'Manuals' accepted 'file 1.txt' as task 9007199254740993123.");
  });

  it('warns where no task id was recognised, and offers to choose it from the answer', async () => {
    const [said] = await told([withoutId]);
    assert.equal(said?.how, 'warn');
    assert.match(said?.words ?? '', /no task ID was recognised/);
    assert.deepEqual(said?.actions, ['Choose the Task ID…', 'Show Answer']);
  });

  it("repeats a refusal's code and message, and offers a new key only where the key was refused", async () => {
    const [said] = await told([rejected]);
    assert.match(said?.words ?? '', /'Manuals' rejected 'file 1\.txt': code 40101: No such key/);
    assert.deepEqual(said?.actions, ['Edit Request…', 'Show Task']);
    const [refusedKey] = await told([badKey]);
    assert.deepEqual(refusedKey?.actions, ['Replace Access-Key…', 'Edit Request…', 'Show Task']);
  });

  it('offers to try again only where certainly nothing was taken', async () => {
    const offers = await Promise.all(
      [accepted, rejected, notSent, cancelled, lost, serverError].map(
        async (outcome) => (await told([outcome]))[0]?.actions,
      ),
    );
    assert.deepEqual(
      offers.map((actions) => actions?.includes('Try Again')),
      [false, false, true, false, false, false],
    );
  });

  it('says that a cancelled file was not sent, and that is no warning', async () => {
    const [said] = await told([cancelled]);
    assert.equal(said?.how, 'done');
    assert.match(said?.words ?? '', /Nothing was sent/);
  });

  it('says of what is not certain why, and how much had left, in whole sentences', async () => {
    const [said] = await told([lost]);
    assert.match(said?.words ?? '', /not certain whether 'Manuals' took 'file 1\.txt'/);
    assert.match(said?.words ?? '', /1\.0 KB of 2\.0 KB of the request had left\./);
    const [failed] = await told([serverError]);
    assert.match(failed?.words ?? '', /HTTP 502\): 'Bad Gateway'\. The whole request had left\./);
  });

  it('is one message for many files, with the count of each end', async () => {
    assert.deepEqual(
      (await told([accepted, accepted, accepted])).map(({ how, words }) => [how, words]),
      [['done', "'Manuals' accepted all 3 files."]],
    );
    assert.deepEqual(
      (await told([accepted, rejected, lost, notSent])).map(({ how, words }) => [how, words]),
      [['warn', "'Manuals' accepted 1 of 4 files, 1 rejected, 1 unconfirmed, 1 not sent."]],
    );
  });

  it('counts what was never begun among what was not sent', async () => {
    const [said] = await told([accepted, cancelled], 5);
    assert.equal(said?.words, "'Manuals' accepted 1 of 5 files, 4 not sent.");
    const [nothing] = await told([], 3);
    assert.equal(nothing?.words, "'Manuals' accepted 0 of 3 files, 3 not sent.");
  });
});

interface Said {
  readonly how: 'done' | 'warn';
  readonly words: string;
  readonly actions: readonly string[];
}

/** What the report says, instead of a person who would have to close it. */
async function told(outcomes: readonly Ended[], wanted = outcomes.length): Promise<Said[]> {
  const said: Said[] = [];
  const hear =
    (how: Said['how']) =>
    async (words: string, ...actions: Action[]) => {
      said.push({ how, words, actions: actions.map(({ label }) => label) });
    };
  const messages = { done: hear('done'), warn: hear('warn') };
  const deps = { messages, importAgain: async () => {} } as unknown as ReportDeps;
  await reportImport(deps, outcomes.map(result), wanted, 'Manuals');
  return said;
}

function result(outcome: Ended, index: number): ImportResult {
  const name = `file ${index + 1}.txt`;
  const told = {
    dataset: 'Manuals',
    source: { path: `/${name}`, name, sizeBytes: 2048 },
    createdMs: 0,
    phase: { kind: 'sending' },
  } as const;
  return { task: { key: index + 1, ...newTask(told) }, outcome };
}
