import assert from 'node:assert/strict';
import { testConnection } from '../../../../src/editor/mapping/testConnection';
import type { Action } from '../../../../src/editor/platform/actions';
import type { Messages } from '../../../../src/editor/platform/messages';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { KEY_MASK } from '../../../../src/service/masking/mask';
import { type OwnServices, ownServices } from '../../ownServices';
import { answering, closeEditors } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';

const key = 'ak-of-the-test-1';

interface ShownMessage {
  readonly how: 'done' | 'warn';
  readonly text: string;
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

  it('reports that the service responded, even if the response does not prove that the access key is valid', async () => {
    response = '{"code":"1004","message":"No such task","data":null}';
    const shown = await test();
    assert.equal(shown.how, 'done');
    assert.equal(
      shown.text,
      'Connected to Manuals. The first import will show whether it accepts the access key. For a task that does not exist, the service responded: code 1004: No such task',
    );
    assert.deepEqual(labels(shown), ['Import Files…', 'Replace Access Key…', 'Edit Request…']);
    // The command sent one query with an unknown ID, and didn't start tracking a task.
    assert.deepEqual(
      service.requests.map(({ operation, accessKey }) => [operation, accessKey]),
      [['query-task', key]],
    );
    assert.match(service.requests[0]?.body ?? '', /^\{"taskId":"[\da-f-]{36}"\}$/);
    assert.deepEqual(await services.store.rowsAfter({ filter: {}, after: 0, limit: 1 }), []);
  });

  it('reports that the access key was accepted if the service accepts the query', async () => {
    response = '{"code":"0","message":null,"data":{}}';
    const shown = await test();
    assert.equal(shown.how, 'done');
    assert.equal(shown.text, 'Connected to Manuals. The access key was accepted.');
    assert.deepEqual(labels(shown), ['Import Files…']);
  });

  it("queries the dataset's most recent task", async () => {
    const destination = { dataset: 'Manuals', origin: service.baseUrl.origin };
    await services.store.track({ destination, id: typedTaskId('77', 'number'), name: '' });
    response = '{"code":"400","message":"jobNo is required","data":null}';
    const shown = await test();
    assert.equal(service.requests.at(-1)?.body, '{"taskId":77}');
    assert.equal(shown.how, 'warn');
    assert.equal(
      shown.text,
      'Connected to Manuals. It rejected the status check of task 77: code 400: jobNo is required',
    );
    assert.deepEqual(labels(shown), ['Edit Request…', 'Replace Access Key…']);
  });

  it("reports a rejected access key if the service returns a code that the dataset's contract defines as a bad key", async () => {
    response = '{"code":"4010","message":"Who are you?","data":null}';
    await services.datasets.override(dataset(), ['codes', 'badKey'], ['4010']);
    const shown = await test();
    assert.equal(shown.how, 'warn');
    assert.equal(shown.text, 'Manuals was reached, but the access key was rejected: code 4010: Who are you?');
    assert.deepEqual(labels(shown), ['Replace Access Key…']);
  });

  it('reports a wrong path, a response that is not JSON, and a refused connection', async () => {
    await services.datasets.override(dataset(), ['paths', 'queryTask'], '/nothing/here');
    const shown = await test();
    const { host } = service.baseUrl;
    assert.equal(shown.text, `${host} responded HTTP 404. Check the base URL and the path of the status check.`);
    assert.deepEqual(labels(shown), ['Open Dataset Settings', 'Test Again']);
    await services.datasets.override(dataset(), ['paths', 'queryTask'], undefined);
    response = '<html>Welcome</html>';
    const page = await test();
    assert.match(page.text, /^The connection to Manuals failed\. .*is not JSON: 'Welcome'/);
    await service.close();
    const gone = await test();
    assert.match(gone.text, /^The connection to Manuals failed\. .* refused the connection/);
    assert.deepEqual(labels(gone), ['Test Again', 'Open Dataset Settings']);
    service = await startTinyService({});
  });

  it('opens the part of the request that the response names, and retests the connection after the user edits that part', async () => {
    response = '{"code":"400","message":"parameter `jobNo` is required","data":null}';
    const shown = await test();
    response = '{"code":"0","message":null,"data":{}}';
    const again: ShownMessage[] = [];
    await answering(run(shown, 'Edit Request…', again), 'accept');
    assert.deepEqual(dataset().contract.queryTask.body, { jobNo: '${taskId}' });
    assert.match(again[0]?.text ?? '', /^Connected to Manuals/);
    assert.match(service.requests.at(-1)?.body ?? '', /^\{"jobNo":"[\da-f-]{36}"\}$/);
  });

  it('masks the access key in messages and in the log', async () => {
    response = `{"code":"1004","message":"No task for ${key}","data":{"key":"${key}"}}`;
    const shown = await test();
    for (const text of [shown.text, logged]) assert.ok(text.includes(KEY_MASK) && !text.includes(key), text);
  });

  let shownMessages: ShownMessage[] = [];
  /** The last log line. */
  let logged = '';

  async function test(): Promise<ShownMessage> {
    shownMessages = [];
    const show =
      (how: ShownMessage['how']) =>
      async (text: string, ...actions: Action[]) => {
        shownMessages.push({ how, text, actions });
      };
    const note = (line: string) => {
      logged = line;
    };
    const messages = { done: show('done'), warn: show('warn'), note } as unknown as Messages;
    await testConnection({ ...services, messages }, dataset());
    assert.equal(shownMessages.length, 1);
    return shownMessages[0] ?? assert.fail('no message was shown');
  }

  async function run({ actions }: ShownMessage, label: string, into: ShownMessage[]): Promise<void> {
    shownMessages = into;
    await (actions.find((action) => action.label === label) ?? assert.fail(label)).run();
  }

  function labels({ actions }: ShownMessage): string[] {
    return actions.map(({ label }) => label);
  }

  function dataset() {
    return services.datasets.find('Manuals') ?? assert.fail('there is no dataset');
  }
});
