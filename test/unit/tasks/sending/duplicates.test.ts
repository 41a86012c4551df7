import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { typedTaskId } from '../../../../src/service/json/taskId';
import type { TaskReport } from '../../../../src/service/response/taskReport';
import { type CheckedSource, checkFile, checkText } from '../../../../src/tasks/sending/checkedSource';
import { findDuplicates, importsOfSame } from '../../../../src/tasks/sending/duplicates';
import { Sources } from '../../../../src/tasks/sending/sources';
import { combinedReport } from '../../../../src/tasks/severalTasks';
import { TaskList } from '../../../../src/tasks/store/taskList';
import type { NewTask, Phase } from '../../../../src/tasks/trackedTask';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { sharedFiles } from '../sharedFiles';
import { NOON, SENDING, sourceOf, TemporaryStore, taskOf } from '../temporaryStore';

const TEXT = 'the same text\n';
const failure = { name: 'CanceledError', detail: '' } as const;
const ACCEPTED: Phase = { kind: 'accepted', report: undefined };
const BOOKS = { dataset: 'Books', origin: 'https://books.example' };
const going = () => new AbortController().signal;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

function earlier(facts: Partial<NewTask> = {}): NewTask {
  const source = sourceOf('earlier.txt', { sizeBytes: TEXT.length, sha256: sha256(TEXT) });
  return taskOf({ ...BOOKS, source, phase: ACCEPTED, ...facts });
}

/** The phase of a file whose tasks the service means so. */
function partsWith(...meanings: TaskReport['meaning'][]): Phase {
  const parts = meanings.map((meaning) => {
    const report = { status: meaning, meaning, progress: undefined, message: undefined, from: {} };
    return { taskId: typedTaskId(meaning, 'string'), report };
  });
  return { kind: 'accepted', report: combinedReport(parts), parts };
}

async function fileWith(files: TemporaryFiles, text: string): Promise<CheckedSource> {
  const { path, relativePath } = await files.write('a.txt', text);
  return checkFile(path, relativePath);
}

/** Which of the tasks that were tracked before count as the same as each of these. */
async function found(checked: CheckedSource[], tasks: NewTask[], signal = going()): Promise<number[]> {
  await using store = await TemporaryStore.make();
  const parts = store.parts();
  const list = new TaskList(parts);
  const added = await list.add(tasks);
  const same = await importsOfSame(list.unfinished, parts.contents, checked);
  const duplicates = await findDuplicates(new Sources('', sharedFiles), checked, same, BOOKS, signal);
  return [...duplicates.values()].map(({ key }) => added.findIndex((task) => task.key === key));
}

describe('An import is known to have been made before', () => {
  const unconfirmed: Phase = { kind: 'unconfirmed', failure, sentBytes: 1, totalBytes: 2 };
  const cases: Record<string, [Partial<NewTask>, boolean]> = {
    'where the same content was accepted': [{}, true],
    'where it may have been': [{ phase: unconfirmed }, true],
    'not where the service itself has given it up': [
      {
        phase: {
          kind: 'accepted',
          report: { status: 'FAILED', meaning: 'failed', progress: undefined, message: undefined, from: {} },
        },
      },
      false,
    ],
    'where one of its several tasks has not failed': [{ phase: partsWith('failed', 'succeeded') }, true],
    'not where all of its several tasks have failed': [{ phase: partsWith('failed', 'failed') }, false],
    'not where it was not sent': [{ phase: { kind: 'notSent', failure } }, false],
    'not where it was rejected': [
      { phase: { kind: 'rejected', refusal: { by: 'status', status: 400, excerpt: '' } } },
      false,
    ],
    'not where another dataset has it': [{ dataset: 'Manuals' }, false],
    'not where the dataset had it at another origin': [{ origin: 'https://old.example' }, false],
    'not where it is of the same size and another text': [
      { source: sourceOf('a.txt', { sizeBytes: TEXT.length, sha256: sha256('else') }) },
      false,
    ],
    'not where nothing is known of what was sent': [{ source: sourceOf('a.txt', { sizeBytes: TEXT.length }) }, false],
    'not by a task that was made elsewhere': [{ source: undefined }, false],
  };
  for (const [where, [facts, isFound]] of Object.entries(cases)) {
    it(where, async () => {
      await using files = await TemporaryFiles.make();
      const file = await fileWith(files, TEXT);
      const text = await checkText({ name: 'b', path: 'b', relativePath: 'b' }, Buffer.from(TEXT));
      assert.deepEqual(await found([file, text], [earlier(facts)]), isFound ? [0, 0] : []);
    });
  }

  for (const phase of [{ kind: 'queued' } as const, SENDING]) {
    it(`where the same file is ${phase.kind}, whatever is in it by now`, async () => {
      await using files = await TemporaryFiles.make();
      const file = await fileWith(files, 'longer than it was when it was queued');
      const { path } = file.source;
      const tasks = [earlier({ phase, source: sourceOf('a.txt', { path }) })];
      assert.deepEqual(await found([file], tasks), [0]);
    });
  }

  for (const [kind, phase] of Object.entries({ unconfirmed, 'accepted before all of it had left': ACCEPTED })) {
    it(`where the same file is ${kind}, and nothing is known of what was in it`, async () => {
      await using files = await TemporaryFiles.make();
      const file = await fileWith(files, 'longer than it was when it was sent');
      const source = sourceOf('a.txt', { path: file.source.path });
      assert.deepEqual(await found([file], [earlier({ phase, source })]), [0]);
    });
  }

  for (const [kind, phase] of Object.entries({ queued: { kind: 'queued' }, unconfirmed } as const)) {
    it(`where a text of the same name and size is ${kind}, and none of another size or name, or a file`, async () => {
      const text = await checkText({ name: 'b', path: 'b', relativePath: 'b' }, Buffer.from(TEXT));
      const source = sourceOf('b', { from: 'text', path: 'b', sizeBytes: TEXT.length });
      const others = [
        { ...source, sizeBytes: 3 },
        { ...source, path: 'c' },
        sourceOf('b', { path: 'b', sizeBytes: 3 }),
      ];
      const tasks = [...others, source].map((each) => earlier({ phase, source: each }));
      assert.deepEqual(await found([text], tasks), [3]);
    });
  }

  it('by the latest of several tasks', async () => {
    await using files = await TemporaryFiles.make();
    const tasks = [NOON, NOON + 2, NOON + 1].map((createdMs) => earlier({ createdMs }));
    assert.deepEqual(await found([await fileWith(files, TEXT)], tasks), [1]);
  });

  it('not where it can be read no more: its import will say so', async () => {
    await using files = await TemporaryFiles.make();
    const file = await fileWith(files, TEXT);
    rmSync(file.source.path);
    assert.deepEqual(await found([file], [earlier()]), []);
  });

  it('and nothing is read of what has another size, so that stopping is never too late', async () => {
    await using files = await TemporaryFiles.make();
    const file = await fileWith(files, TEXT);
    const stopped = AbortSignal.abort();
    await assert.rejects(found([file], [earlier()], stopped), { name: 'AbortError' });
    const other = earlier({ source: sourceOf('a.txt', { sizeBytes: 3, sha256: sha256('abc') }) });
    assert.deepEqual(await found([file], [other], stopped), []);
  });
});
