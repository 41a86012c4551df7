import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Disposable } from 'vscode';
import type { Announcements } from '../../../../src/editor/announcing/announcements';
import type { ReportServices } from '../../../../src/editor/importing/helpAfterImport';
import { tryNow } from '../../../../src/editor/importing/register';
import { resumeAfterRejections } from '../../../../src/editor/importing/repeatedRejections';
import { reportRun, reportRuns } from '../../../../src/editor/importing/reportImport';
import { reportPauses } from '../../../../src/editor/importing/reportPause';
import type { Action } from '../../../../src/editor/platform/userError';
import { clicked } from '../../../../src/editor/targets';
import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { BadResponseError, CanceledError, ConnectError, ConnectionLostError } from '../../../../src/service/errors';
import type { TaskId } from '../../../../src/service/json/taskId';
import type { Target } from '../../../../src/service/request/requests';
import type { Outcome } from '../../../../src/service/response/outcome';
import { Gates } from '../../../../src/tasks/sending/gate';
import { Sources } from '../../../../src/tasks/sending/sources';
import { ImportQueue } from '../../../../src/tasks/serving/importQueue';
import { ImportRun, type LeftOutCounts } from '../../../../src/tasks/serving/importRun';
import type { TaskList } from '../../../../src/tasks/store/taskList';
import { type EndedPhase, type NewTask, newTask, phaseAfter } from '../../../../src/tasks/trackedTask';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { activated, type Parts } from '../../activated';
import { fileSource, type OwnList, ownList } from '../../answeredTasks';
import { startTinyService, type TinyService } from '../../tinyService';
import { until } from '../../until';

/** How an import ended, and what its task has of it. */
interface End {
  readonly end: EndedPhase;
  readonly facts?: Partial<NewTask>;
}

const endOf = (outcome: Outcome<unknown>): End => ({ end: phaseAfter(outcome) });
const taskId = '9007199254740993123' as TaskId;
const acceptance = { kind: 'accepted', report: undefined } as const;
const accepted: End = { end: acceptance, facts: { taskId } };
const withoutId: End = { end: acceptance };
/** The same, answered before the whole file was sent. */
const early = (end: End): End => ({
  ...end,
  facts: { ...end.facts, attempts: [{ beganMs: 0, endedMs: 1, sentBytes: 1, totalBytes: 2, end: acceptance }] },
});
const refusal = { by: 'envelope', status: 200, code: '40101', message: 'No such key' } as const;
const rejected: End = { end: { kind: 'rejected', refusal } };
const rejectedWith = (message: string): End => ({ end: { kind: 'rejected', refusal: { ...refusal, message } } });
const notSent = endOf({ kind: 'notSent', cause: new ConnectError('refused', 'a.example:443', { cause: 'no' }) });
const canceled = endOf({ kind: 'notSent', cause: new CanceledError() });
const lost = endOf({
  kind: 'unconfirmed',
  cause: new ConnectionLostError('reset', 'a.example:443'),
  sentBytes: 1024,
  totalBytes: 2048,
});
const serverError = endOf({
  kind: 'unconfirmed',
  cause: new BadResponseError('serverError', 502, 'Bad Gateway'),
  sentBytes: 2048,
  totalBytes: 2048,
});

const EDIT = 'Edit Request and Retry…';
const REPLACE = 'Replace Access Key…';
/** Dataset 'Manuals', with a code of its own for what may be tried later; 'Gone' was removed. */
const datasets = {
  find: (name: string) =>
    name === 'Gone' ? undefined : { contract: { ...DEFAULT_CONTRACT, codes: { badKey: [], tryLater: ['BUSY'] } } },
};

/** Without any response of which a value could be asked about. */
const mapping = { responseOf: async () => undefined };

interface Said {
  readonly how: 'imported' | 'inStatusBar' | 'done' | 'problem';
  readonly words: string;
  readonly actions: readonly string[];
}

/** Hears what is said, instead of a person who would have to close each message. */
function ears(): { said: Said[]; next: () => Promise<void>; announcements: Announcements } {
  const said: Said[] = [];
  let heard = Promise.withResolvers<void>();
  const hear =
    (how: Said['how']) =>
    async (words: string, ...actions: Action[]) => {
      said.push({ how, words, actions: actions.map(({ label }) => label) });
      heard.resolve();
      heard = Promise.withResolvers();
    };
  const announcements = {
    imported: hear('imported'),
    inStatusBar: hear('inStatusBar'),
    done: hear('done'),
    problem: hear('problem'),
  };
  return { said, next: () => heard.promise, announcements: announcements as unknown as Announcements };
}

describe('The report of a run of imports', () => {
  let own: OwnList;

  beforeEach(() => {
    own = ownList();
  });
  afterEach(() => own.dispose());

  describe('of one file', () => {
    it('names the file and the dataset, and no id, which a person has no use for', async () => {
      const said = await told([accepted]);
      assert.equal(said.how, 'imported');
      assert.equal(said.words, "Uploaded 'file 1.txt' to Manuals.");
    });

    it('warns where no task ID was recognized, and offers to choose it from the response', async () => {
      const said = await told([withoutId]);
      assert.equal(said.how, 'problem');
      assert.match(said.words, /no task ID was recognized/);
      assert.deepEqual(said.actions, ['Map Responses…', 'Show Details']);
    });

    it('warns where it was accepted before the whole file was sent', async () => {
      const said = await told([early(accepted)]);
      const words = "Uploaded 'file 1.txt' to Manuals.";
      assert.deepEqual(said, {
        how: 'problem',
        words: `${words} The service responded before the whole file was sent.`,
        actions: ['Show Task'],
      });
      const without = await told([early(withoutId)]);
      assert.match(without.words, /no task ID .* The service responded before the whole file was sent\.$/);
    });

    it("repeats a refusal's code and message, and offers a new access key first if these mention a key", async () => {
      for (const _ of ['in a new dataset', 'in one that has accepted a file']) {
        const said = await told([rejected]);
        assert.match(said.words, /Manuals rejected 'file 1\.txt': code 40101: No such key/);
        assert.deepEqual(said.actions, [REPLACE, EDIT, 'Show Task']);
        await told([accepted]);
      }
    });

    it('offers to edit the request first if the service names a part of it', async () => {
      assert.deepEqual((await told([rejectedWith("'lang' is missing")])).actions, [EDIT, 'Retry', 'Show Task']);
    });

    it('offers to look first if the rejection is about the file', async () => {
      await told([accepted]);
      assert.deepEqual((await told([rejectedWith('title already exists')])).actions, ['Show Task', 'Retry']);
    });

    it('offers to retry where certainly nothing was received, and where that is not certain asks first', async () => {
      const ends = [accepted, rejected, notSent, canceled, canceled, lost, serverError];
      const offers: string[] = [];
      for (const end of ends)
        offers.push((await told([end])).actions.filter((label) => /Again|Retry/.test(label)).join());
      const dots = 'Import Again…';
      assert.deepEqual(offers, ['', EDIT, 'Retry', '', '', dots, dots]);
    });

    it('says of what is unconfirmed why, and how much of it was sent, in whole sentences', async () => {
      const said = await told([lost]);
      const doubt = 'Manuals may have received it. Importing again may create a duplicate.';
      assert.equal(
        said.words,
        `The import of 'file 1.txt' is unconfirmed. a.example:443 closed the connection before it responded. The file may be too large for the service. 1.0 KB of 2.0 KB of the request was sent. ${doubt}`,
      );
      const failed = await told([serverError]);
      assert.equal(
        failed.words,
        `The import of 'file 1.txt' is unconfirmed. The service reported an error (HTTP 502): 'Bad Gateway'. ${doubt}`,
      );
      const cause = new BadResponseError('notHttp', 0, 'Invalid header token');
      assert.equal(
        (await told([endOf({ kind: 'unconfirmed', cause, sentBytes: 2, totalBytes: 2 })])).words,
        `The import of 'file 1.txt' is unconfirmed. The response is not valid HTTP: Invalid header token. ${doubt}`,
      );
      const late = { kind: 'unconfirmed', cause: new CanceledError(), sentBytes: 2, totalBytes: 2 } as const;
      assert.equal(
        (await told([endOf(late)])).words,
        `The import of 'file 1.txt' was canceled after it was sent. ${doubt}`,
      );
    });
  });

  describe('of several files', () => {
    it('is one message with the count of each end', async () => {
      const all = await told([accepted, accepted, accepted]);
      assert.deepEqual(all, { how: 'inStatusBar', words: 'Uploaded 3 files to Manuals.', actions: [] });
      const some = await told([accepted, rejected, lost, notSent]);
      assert.deepEqual(
        [some.how, some.words],
        [
          'problem',
          'Uploaded 1 of 4 files to Manuals. 1 file was rejected. 1 file is unconfirmed. 1 file was not uploaded. The reason: code 40101: No such key. a.example:443 refused the connection. Check that the service is running.',
        ],
      );
    });

    it('offers to retry what was not received', async () => {
      assert.deepEqual((await told([accepted, notSent])).actions, ['Retry Failed', 'Show Failed']);
      assert.deepEqual((await told([accepted, lost])).actions, ['Import Again…', 'Show Failed']);
      assert.deepEqual((await told([accepted, lost, lost])).actions, ['Retry Unconfirmed…', 'Show Failed']);
    });

    it('names the reason of rejections, and offers first what helps with it', async () => {
      const alike = await told([rejected, rejected, rejected]);
      assert.match(alike.words, /3 files were rejected\. The reason: code 40101: No such key\.$/);
      assert.deepEqual(alike.actions, [REPLACE, EDIT, 'Show Failed']);
      const mixed = await told([
        accepted,
        rejected,
        rejectedWith('title already exists'),
        rejectedWith('title already exists'),
      ]);
      assert.match(mixed.words, /The most frequent reason: code 40101: title already exists\.$/);
      assert.deepEqual(mixed.actions, ['Show Failed', 'Retry Failed']);
    });

    it('says that it was canceled, and warns only of what needs a look', async () => {
      const said = await told([accepted, canceled, canceled]);
      assert.equal(said.how, 'done');
      assert.equal(said.words, 'The import was canceled. Uploaded 1 of 3 files to Manuals. 2 files were not uploaded.');
      for (const end of [lost, rejected, notSent]) assert.equal((await told([end, canceled])).how, 'problem');
    });

    it('counts the duplicates that were skipped and the files that were left out', async () => {
      const { run } = await runOf([accepted, accepted], false, { duplicates: 2, files: 1200 });
      const words = (await heard(run))[0]?.words;
      assert.equal(words, 'Uploaded 2 files to Manuals. 2 duplicates were skipped. 1,200 files were skipped.');
      const single = await runOf([accepted], false, { duplicates: 1, files: 1 });
      const ofOne = (await heard(single.run))[0]?.words;
      assert.equal(ofOne, "Uploaded 'file 1.txt' to Manuals. 1 duplicate was skipped. 1 file was skipped.");
    });
  });

  /** The one message that tells of a run. */
  async function told(ends: readonly End[], isAdopted = false): Promise<Said> {
    const [said, ...more] = await heard((await runOf(ends, isAdopted)).run);
    assert.ok(said && more.length === 0);
    return said;
  }

  async function heard(run: ImportRun): Promise<Said[]> {
    const { said, announcements } = ears();
    await reportRun({ announcements, list: own.list, datasets, mapping } as unknown as ReportServices, run);
    return said;
  }

  async function runOf(
    ends: readonly End[],
    isAdopted = false,
    leftOut?: LeftOutCounts,
  ): Promise<{ run: ImportRun; keys: number[] }> {
    const begunElsewhere = { window: 'gone', batch: undefined };
    const sources = ends.map((_, index) => fileSource(`file ${index + 1}.txt`, 2048));
    const tasks = await own.list.add(
      ends.map(({ end, facts }, index) =>
        newTask({ dataset: 'Manuals', source: sources[index], createdMs: 0, phase: end, ...facts }),
      ),
    );
    const run = new ImportRun({ dataset: 'Manuals', origin: undefined }, 0, {
      ...(isAdopted && { begunElsewhere }),
      leftOut,
    });
    const keys = tasks.map(({ key }) => key);
    for (const [index, { end }] of ends.entries()) {
      const [key, source] = [keys[index], sources[index]];
      assert.ok(key !== undefined && source);
      run.expect(key, source);
      run.ended(key, end);
    }
    return { run, keys };
  }
});

describe('Reports of imports', () => {
  let parts: Parts;
  let own: OwnList;
  let service: TinyService;
  let responses: () => string;
  let queue: ImportQueue;
  let hasTarget: boolean;
  let accessKey: string;
  let reports: Disposable;
  let said: Said[];
  let next: () => Promise<void>;

  before(async () => {
    parts = await activated();
    service = await startTinyService({ 'file-task': () => responses() });
  });

  after(() => service.close());

  beforeEach(() => {
    hasTarget = true;
    accessKey = 'a-key';
    own = ownList();
    responses = () => `{"code":"0","message":null,"data":{"taskId":"t-${service.requests.length}"}}`;
    queue = queueOf(own.list);
    ({ said, next, reports } = reporting(queue, own.list));
  });

  afterEach(() => {
    reports.dispose();
    queue.dispose();
    own.dispose();
  });

  it('come once for each run, however many imports it has', async () => {
    await told(() => queue.add(files(7), 'Manuals'));
    assert.deepEqual(
      said.map(({ words }) => words),
      ['Uploaded 7 files to Manuals.'],
    );
    await told(() => queue.add(files(1), 'Manuals'));
    assert.equal(said.length, 2);
  });

  it('come once where the access key is rejected: all files wait for another', async () => {
    responses = () => '{"code":"401","message":"No such key","data":null}';
    await told(() => queue.add(files(20), 'Manuals'));
    assert.deepEqual(said, [
      {
        how: 'problem',
        words:
          'The imports to Manuals wait until you replace the access key, which was rejected: code 401: No such key',
        actions: ['Replace Access Key…', 'Cancel Imports'],
      },
    ]);
    await queue.cancel();
  });

  it('come once where there is no access key, or no dataset any more: all files wait', async () => {
    for (const [dataset, words, actions] of [
      [
        'Manuals',
        'The access key of Manuals cannot be read. Its imports wait for it.',
        ['Replace Access Key…', 'Cancel Imports'],
      ],
      ['Gone', "Dataset 'Gone' was removed. Its imports wait until it is added again.", ['Cancel Imports']],
    ] as const) {
      hasTarget = false;
      await told(() => queue.add(files(3), dataset));
      assert.deepEqual(said.at(-1), { how: 'problem', words, actions });
      await told(() => queue.cancel());
    }
  });

  it('come once if three imports in a row are rejected with the same code: the others wait for the user', async () => {
    await told(() => queue.add(files(1), 'Manuals'));
    said.length = 0;
    responses = () => '{"code":"7","message":"Give a lang","data":null}';
    await told(() => queue.add(files(20), 'Manuals'));
    const words = 'Manuals rejected 3 imports in a row, so the others wait: code 7: Give a lang';
    const actions = ['Replace Access Key…', 'Edit Request…', 'Continue Anyway', 'Cancel Imports'];
    assert.deepEqual(said, [{ how: 'problem', words, actions }]);
    await queue.cancel();
  });

  it('ask again with Try Now what to do about these rejections', async () => {
    responses = () => '{"code":"7","message":"Give a lang","data":null}';
    await told(() => queue.add(files(20), 'Manuals'));
    const { promise: shown, resolve } = Promise.withResolvers<readonly string[]>();
    const picks = {
      one: async (choices: readonly { label: string; run?(): unknown }[]) => {
        resolve(choices.map(({ label }) => label));
        return choices.find(({ label }) => label === 'Continue Anyway');
      },
    };
    responses = () => '{"code":"0","message":null,"data":{}}';
    const services = { queue, list: own.list, datasets, picks } as unknown as ReportServices;
    const target = clicked(...own.list.held.map(({ key }) => ({ taskKey: key })));
    await tryNow(services, target);
    await until('the rest to be uploaded', () => queue.progress === undefined);
    assert.deepEqual(await shown, ['Replace Access Key…', 'Edit Request…', 'Continue Anyway']);
  });

  it('import again what the code rejected once the key was replaced, and offer to treat the code as a rejected key', async () => {
    responses = () => '{"code":"7","message":"key is not valid","data":null}';
    await told(() => queue.add(files(20), 'Manuals'));
    responses = () => `{"code":"0","message":null,"data":{"taskId":"t-${service.requests.length}"}}`;
    accessKey = 'another-key';
    await queue.targetsChanged();
    await until('all files to be accepted', () => own.list.held.every(({ phase }) => phase.kind === 'accepted'));
    await until('the offer', () => said.some(({ actions }) => actions.includes('Treat as Rejected Key')));
    const question = said.find(({ actions }) => actions.includes('Treat as Rejected Key'));
    assert.match(question?.words ?? '', /^Files that Manuals rejected with code 7 .*: 3\. /);
  });

  it('tell of imports that a window has left behind', async () => {
    const left = own.listOfGoneWindow();
    const checked = files(3);
    await left.add(
      checked.map(({ source }) => newTask({ dataset: 'Manuals', source, createdMs: 0, phase: { kind: 'queued' } })),
    );
    await told(async () => {
      await own.list.sync();
      await own.serving.updateLeases();
    });
    assert.equal(said.length, 1);
    assert.match(said[0]?.words ?? '', /^Resumed imports from a closed window\. Uploaded 3 files to Manuals\.$/);
  });

  function queueOf(list: TaskList): ImportQueue {
    const codes = { ...DEFAULT_CONTRACT.codes, badKey: ['401'] };
    const target: Target = { baseUrl: service.baseUrl, accessKey: 'key', contract: { ...DEFAULT_CONTRACT, codes } };
    return new ImportQueue({
      service: parts.service,
      list,
      serving: own.serving,
      gates: new Gates(own.clock, () => 2),
      sources: new Sources('', sharedFiles),
      findTarget: async () => (hasTarget ? { ...target, accessKey } : undefined),
      clock: own.clock,
    });
  }

  function files(count: number) {
    return Array.from({ length: count }, (_, index) => {
      const name = `${index}.txt`;
      const path = join(own.folder, name);
      writeFileSync(path, name);
      return { source: { ...fileSource(name, name.length), path } };
    });
  }

  /** Resolves once a run that this begins has been told. */
  async function told(begin: () => Promise<unknown>): Promise<void> {
    const telling = next();
    await begin();
    await telling;
  }
});

function reporting(
  queue: ImportQueue,
  list: TaskList,
): Pick<ReturnType<typeof ears>, 'said' | 'next'> & { reports: Disposable } {
  const { said, next, announcements } = ears();
  const services = { queue, list, announcements, datasets, mapping } as unknown as ReportServices;
  return {
    said,
    next,
    reports: Disposable.from(reportRuns(services), reportPauses(services), resumeAfterRejections(services)),
  };
}
