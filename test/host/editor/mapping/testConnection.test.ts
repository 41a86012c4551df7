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

describe('Test Connection', () => {
  let services: OwnServices;
  let service: TinyService;
  let response: string | undefined;
  /** The buttons of the last message. */
  let buttons: readonly Action[];
  /** What was shown since the last test began: each message with its buttons. */
  const shown: string[] = [];
  /** The last log line. */
  let logged = '';

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
    assert.equal(
      await test(),
      'done: Connected to Manuals. The first import will show whether it accepts the access key. For a task that does not exist, the service responded: code 1004: No such task [Import Files…] [Replace Access Key…] [Edit Request…]',
    );
    // The command sent one query with an unknown ID, and didn't start tracking a task.
    const sent = service.requests.map(({ operation, accessKey }) => [operation, accessKey]);
    assert.deepEqual(sent, [['query-task', key]]);
    assert.match(service.requests[0]?.body ?? '', /^\{"taskId":"[\da-f-]{36}"\}$/);
    assert.deepEqual(await services.store.rowsAfter({ filter: {}, after: 0, limit: 1 }), []);
  });

  it('reports that the access key was accepted if the service accepts the query', async () => {
    response = '{"code":"0","message":null,"data":{}}';
    assert.equal(await test(), 'done: Connected to Manuals. The access key was accepted. [Import Files…]');
  });

  it("queries the dataset's most recent task", async () => {
    const destination = { dataset: 'Manuals', origin: service.baseUrl.origin };
    await services.store.track({ destination, id: typedTaskId('77', 'number'), name: '' });
    response = '{"code":"400","message":"jobNo is required","data":null}';
    assert.equal(
      await test(),
      'warn: Connected to Manuals. It rejected the status check of task 77: code 400: jobNo is required [Edit Request…] [Replace Access Key…]',
    );
    assert.equal(service.requests.at(-1)?.body, '{"taskId":77}');
  });

  it("reports a rejected access key if the service returns a code that the dataset's contract defines as a bad key", async () => {
    response = '{"code":"4010","message":"Who are you?","data":null}';
    await services.datasets.override(dataset(), ['codes', 'badKey'], ['4010']);
    assert.equal(
      await test(),
      'warn: Manuals was reached, but the access key was rejected: code 4010: Who are you? [Replace Access Key…]',
    );
  });

  it('reports a wrong path, a response that is not JSON, and a refused connection', async () => {
    await services.datasets.override(dataset(), ['paths', 'queryTask'], '/nothing/here');
    assert.equal(
      await test(),
      `warn: ${service.baseUrl.host} responded HTTP 404. Check the base URL and the path of the status check. [Open Dataset Settings] [Test Again]`,
    );
    await services.datasets.override(dataset(), ['paths', 'queryTask'], undefined);
    response = '<html>Welcome</html>';
    assert.match(await test(), /^warn: The connection to Manuals failed\. .*is not JSON: 'Welcome'/);
    await service.close();
    assert.match(
      await test(),
      /^warn: The connection to Manuals failed\. .* refused the connection.* \[Test Again\] \[Open Dataset Settings\]$/,
    );
    service = await startTinyService({});
  });

  it('opens the part of the request that the response names, and retests the connection after the user edits that part', async () => {
    response = '{"code":"400","message":"parameter `jobNo` is required","data":null}';
    await test();
    response = '{"code":"0","message":null,"data":{}}';
    const edit = buttons.find(({ label }) => label === 'Edit Request…') ?? assert.fail('no button');
    await answering(Promise.resolve(edit.run()), 'accept');
    assert.deepEqual(dataset().contract.queryTask.body, { jobNo: '${taskId}' });
    assert.match(shown[1] ?? '', /^done: Connected to Manuals/);
    assert.match(service.requests.at(-1)?.body ?? '', /^\{"jobNo":"[\da-f-]{36}"\}$/);
  });

  it('masks the access key in messages and in the log', async () => {
    response = `{"code":"1004","message":"No task for ${key}","data":{"key":"${key}"}}`;
    for (const text of [await test(), logged]) assert.ok(text.includes(KEY_MASK) && !text.includes(key), text);
  });

  /** Tests the connection, and returns the message that is shown and its buttons. */
  async function test(): Promise<string> {
    shown.splice(0);
    const show =
      (how: string) =>
      async (text: string, ...actions: Action[]) => {
        shown.push([`${how}: ${text}`, ...actions.map(({ label }) => `[${label}]`)].join(' '));
        buttons = actions;
      };
    const note = (line: string) => {
      logged = line;
    };
    const messages = { done: show('done'), warn: show('warn'), note } as unknown as Messages;
    await testConnection({ ...services, messages }, dataset());
    assert.equal(shown.length, 1);
    return shown[0] ?? '';
  }

  function dataset() {
    return services.datasets.find('Manuals') ?? assert.fail('there is no dataset');
  }
});
