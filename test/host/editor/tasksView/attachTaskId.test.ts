import assert from 'node:assert/strict';
import { attachTaskId, trackTask } from '../../../../src/editor/tasksView/attachTaskId';
import { taskIdText } from '../../../../src/service/json/taskId';
import { KEY_MASK } from '../../../../src/service/masking/mask';
import { Following } from '../../../../src/tasks/following/following';
import { Gate } from '../../../../src/tasks/sending/gate';
import type { Destination } from '../../../../src/tasks/store/model';
import { wire } from '../../../unit/service/wire';
import { startTinyService, type TinyService } from '../../tinyService';
import { untilSettled } from '../../until';
import { beforeEachUploads, own, uploads } from '../importing/uploads';

const KEY = '12345678901234567';

describe('Attach Task ID…', () => {
  let service: TinyService;
  let response: string;
  let destination: Destination;

  afterEach(() => service.close());
  beforeEachUploads('attaching');

  beforeEach(async () => {
    response = '{"code":"0","message":null,"data":{"status":"RUNNING"}}';
    service = await startTinyService({ 'query-task': () => response });
    const { datasets, keys } = uploads.services;
    await datasets.add({ name: 'Local', baseUrl: service.baseUrl.href });
    await keys.set({ name: 'Local', baseUrl: service.baseUrl }, KEY);
    destination = { dataset: 'Local', origin: service.baseUrl.origin };
  });

  it("starts tracking an unconfirmed import's task if the service recognizes the ID", async () => {
    await unconfirmed('lost.txt');
    await attach('lost.txt', ' T-1 ');
    assert.deepEqual(await ids('lost.txt'), ['waiting', 'T-1']);
    assert.equal(service.requests.map(({ body }) => body).join(), '{"taskId":"T-1"}');
    assert.deepEqual(uploads.asked.slice(1), []);
  });

  it('asks whether a numeric ID is a string or a number, and keeps every digit', async () => {
    for (const name of ['number.txt', 'text.txt', 'key.txt']) await unconfirmed(name);
    uploads.picked.push('9007199254740993', '"17"');
    await attach('number.txt', '9007199254740993');
    await attach('text.txt', '17');
    await attach('key.txt', `${KEY}-7`);
    const rows = await Promise.all(['number.txt', 'text.txt', 'key.txt'].map((name) => own.row(name)));
    const taskIds = rows.map(({ tasks }) => tasks[0]?.id);
    assert.deepEqual(taskIds, ['9007199254740993', '"17"', `"${KEY_MASK}-7"`]);
  });

  it('asks for confirmation if the service does not recognize the ID, has no data about it, or cannot be queried', async () => {
    await unconfirmed('lost.txt');
    response = '{"code":"1004","message":"No such task","data":null}';
    uploads.answers.push(false);
    await attach('lost.txt', 'T-1');
    assert.equal(
      uploads.asked.at(-1),
      'Could not confirm that Local knows task T-1. Attach it anyway? [Attach] code 1004: No such task',
    );
    assert.deepEqual(await ids('lost.txt'), ['unconfirmed']);
    response = '{"code":"0","message":null,"data":null}';
    uploads.answers.push(false);
    await attach('lost.txt', 'T-1');
    assert.match(uploads.asked.at(-1) ?? '', /No status yet$/);
    response = '<html>';
    await untilSettled('all tries', attach('lost.txt', 'T-1'), async () => uploads.clock.advance(60_000));
    assert.match(uploads.asked.at(-1) ?? '', /^Could not confirm .* is empty\.$/);
    assert.deepEqual(await ids('lost.txt'), ['waiting', 'T-1']);
  });

  it('fails if the row is not waiting for a task ID or its file has since been reimported', async () => {
    const [queued = 0] = await own.queue(['lost.txt'], { destination });
    const refused = { name: 'UserError', message: "'lost.txt' is not waiting for a task ID." };
    await assert.rejects(attach('lost.txt', 'T-1'), refused);
    await own.loseConnection(queued);
    const row = await own.row('lost.txt');
    const [again = 0] = await own.queue(['lost.txt'], { destination, file: { seen: queued } });
    await own.loseConnection(again);
    uploads.typed.push('T-1');
    await assert.rejects(attachTaskId(services(), row), refused);
    assert.deepEqual(await ids('lost.txt'), ['unconfirmed']);
  });

  it('fails before it asks for an ID if the dataset was removed', async () => {
    destination = { dataset: 'Removed', origin: 'https://removed.example' };
    await unconfirmed('lost.txt');
    await assert.rejects(attach('lost.txt', 'T-1'), /Dataset 'Removed' no longer exists/);
    assert.deepEqual(uploads.asked, []);
  });

  it('adds only one row for a task that was created elsewhere, even if its ID is attached twice', async () => {
    const opened: number[] = [];
    const details = { show: async (file: number) => void opened.push(file) };
    const tracking = { ...uploads.services, store: own.store, details };
    const dataset = uploads.services.datasets.find('Local');
    for (let times = 0; times < 2; times++) {
      uploads.typed.push('T-9');
      await trackTask(tracking, dataset && { dataset });
    }
    const rows = await uploads.rows();
    const shown = rows.map(({ id, name, tasks, state, origin }) => [id, name, tasks.length, state, origin]);
    assert.deepEqual(shown, [[opened[0], '', 1, 'waiting', destination.origin]]);
    assert.equal(opened[0], opened[1]);
    uploads.typed.push(undefined);
    await trackTask(tracking, dataset && { dataset });
    assert.equal(opened.length, 2);
    // The user may have renamed the dataset in the settings.
    const { setting } = uploads.datasets;
    setting.set([{ name: 'Renamed', baseUrl: destination.origin }]);
    uploads.asked.splice(0);
    uploads.picked.push('Renamed');
    await trackTask(tracking, undefined);
    assert.match(uploads.asked.join(), /Is 'Renamed' a new dataset\?.* under another name: 'Local'\./);
  });

  function services() {
    const { datasets, clock, store } = uploads.services;
    const gate = new Gate(clock, () => 1);
    const following = new Following({
      store,
      clock,
      service: wire(),
      gateOf: () => gate,
      findTarget: (name) => datasets.target(name),
      contractOf: () => undefined,
      canServe: () => true,
      isServing: () => false,
      readKeysAgain: () => {},
      onError: assert.fail,
    });
    return { ...uploads.services, following };
  }

  async function unconfirmed(name: string): Promise<void> {
    const [id = 0] = await own.queue([name], { destination });
    await own.loseConnection(id);
  }

  async function attach(name: string, typed: string): Promise<void> {
    uploads.typed.push(typed);
    await attachTaskId(services(), await own.row(name)).finally(() => uploads.typed.splice(0));
  }

  /** A row's state, followed by its task IDs. */
  async function ids(name: string): Promise<string[]> {
    const { state, tasks } = await own.row(name);
    return [state, ...tasks.map(({ id }) => taskIdText(id))];
  }
});
