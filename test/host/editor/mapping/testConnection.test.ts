import assert from 'node:assert/strict';
import { testConnection } from '../../../../src/editor/mapping/testConnection';
import type { Messages } from '../../../../src/editor/platform/messages';
import type { Action } from '../../../../src/editor/platform/userError';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { maskOf } from '../../../../src/service/masking/mask';
import { type OwnServices, ownServices } from '../../ownServices';
import { answering, closeEditors } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';

const key = 'ak-of-the-test-1';

interface Said {
  readonly how: 'done' | 'warn';
  readonly words: string;
  readonly actions: readonly Action[];
}

describe('Test Connection', () => {
  let services: OwnServices;
  let service: TinyService;
  let response: string | undefined;

  before(async () => {
    services = await ownServices();
  });

  beforeEach(async () => {
    service = await startTinyService({ 'query-task': () => response ?? '' });
    await services.keys.set({ name: 'Manuals', baseUrl: service.baseUrl }, key);
    await services.datasets.add({ name: 'Manuals', baseUrl: service.baseUrl.href });
  });

  afterEach(async () => {
    await services.datasets.remove(dataset());
    await service.close();
    await services.store.remove({});
    await closeEditors();
  });

  after(() => services.dispose());

  it("reports that it is connected and what isn't certain, and offers to import files", async () => {
    response = '{"code":"1004","message":"No such task","data":null}';
    const said = await test();
    assert.equal(said.how, 'done');
    assert.equal(
      said.words,
      'Connected to Manuals. The first import will show whether it accepts the access key. For a task that does not exist, the service responded: code 1004: No such task',
    );
    assert.deepEqual(labels(said), ['Import Files…', 'Replace Access Key…', 'Edit Request…']);
    // It asked once, for an ID that no task has, and tracks nothing.
    assert.deepEqual(
      service.requests.map(({ operation, accessKey }) => [operation, accessKey]),
      [['query-task', key]],
    );
    assert.match(service.requests[0]?.body ?? '', /^\{"taskId":"[\da-f-]{36}"\}$/);
    assert.deepEqual(await services.store.rowsAfter({ filter: {}, after: 0, limit: 1 }), []);
  });

  it('reports that the key was accepted if the service accepts the query', async () => {
    response = '{"code":"0","message":null,"data":{}}';
    const said = await test();
    assert.equal(said.how, 'done');
    assert.equal(said.words, 'Connected to Manuals. The access key was accepted.');
    assert.deepEqual(labels(said), ['Import Files…']);
  });

  it('asks about the newest task, whose import proves the key', async () => {
    const destination = { dataset: 'Manuals', origin: service.baseUrl.origin };
    await services.store.track({ destination, id: typedTaskId('77', 'number'), name: '' });
    response = '{"code":"400","message":"jobNo is required","data":null}';
    const said = await test();
    assert.equal(service.requests.at(-1)?.body, '{"taskId":77}');
    assert.equal(said.how, 'warn');
    assert.equal(
      said.words,
      'Connected to Manuals. It rejected the status check of task 77: code 400: jobNo is required',
    );
    assert.deepEqual(labels(said), ['Edit Request…', 'Replace Access Key…']);
  });

  it('reports that the key was rejected by a declared code, and offers to replace it', async () => {
    response = '{"code":"4010","message":"Who are you?","data":null}';
    await services.datasets.override(dataset(), ['codes', 'badKey'], ['4010']);
    const said = await test();
    assert.equal(said.how, 'warn');
    assert.equal(said.words, 'Manuals was reached, but the access key was rejected: code 4010: Who are you?');
    assert.deepEqual(labels(said), ['Replace Access Key…']);
  });

  it('reports why there is no response, or one from something else', async () => {
    await services.datasets.override(dataset(), ['paths', 'queryTask'], '/nothing/here');
    const said = await test();
    const { host } = service.baseUrl;
    assert.equal(said.words, `${host} responded HTTP 404. Check the base URL and the path of the status check.`);
    assert.deepEqual(labels(said), ['Open Dataset Settings', 'Test Again']);
    await services.datasets.override(dataset(), ['paths', 'queryTask'], undefined);
    response = '<html>Welcome</html>';
    const page = await test();
    assert.match(page.words, /^The connection to Manuals failed\. .*is not JSON: 'Welcome'/);
    await service.close();
    const gone = await test();
    assert.match(gone.words, /^The connection to Manuals failed\. .* refused the connection/);
    assert.deepEqual(labels(gone), ['Test Again', 'Open Dataset Settings']);
    service = await startTinyService({});
  });

  it('opens the part of the request that the response asks for, and tests again after the change', async () => {
    response = '{"code":"400","message":"parameter `jobNo` is required","data":null}';
    const said = await test();
    response = '{"code":"0","message":null,"data":{}}';
    const again: Said[] = [];
    await answering(run(said, 'Edit Request…', again), 'accept');
    assert.deepEqual(dataset().contract.queryTask.body, { jobNo: '${taskId}' });
    assert.match(again[0]?.words ?? '', /^Connected to Manuals/);
    assert.match(service.requests.at(-1)?.body ?? '', /^\{"jobNo":"[\da-f-]{36}"\}$/);
  });

  it('masks the key in what it says and logs', async () => {
    response = `{"code":"1004","message":"No task for ${key}","data":{"key":"${key}"}}`;
    const said = await test();
    for (const text of [said.words, noted]) assert.ok(text.includes(maskOf(key)) && !text.includes(key), text);
  });

  /** What the actions of a message say goes to the same ears. */
  let heard: Said[] = [];
  /** The last line of the log. */
  let noted = '';

  async function test(): Promise<Said> {
    heard = [];
    const hear =
      (how: Said['how']) =>
      async (words: string, ...actions: Action[]) => {
        heard.push({ how, words, actions });
      };
    const note = (line: string) => {
      noted = line;
    };
    const messages = { done: hear('done'), warn: hear('warn'), note } as unknown as Messages;
    await testConnection({ ...services, messages }, { dataset: dataset() });
    assert.equal(heard.length, 1);
    return heard[0] ?? assert.fail('nothing was said');
  }

  async function run({ actions }: Said, label: string, into: Said[]): Promise<void> {
    heard = into;
    await (actions.find((action) => action.label === label) ?? assert.fail(label)).run();
  }

  function labels({ actions }: Said): string[] {
    return actions.map(({ label }) => label);
  }

  function dataset() {
    return services.datasets.find('Manuals') ?? assert.fail('there is no dataset');
  }
});
