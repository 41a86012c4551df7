import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editSettings, settingsFile } from './editSettings';
import { giveKey } from './giveKey';
import { refused, ScriptedService, taken } from './scriptedService';
import { useWorkbench } from './useWorkbench';

describe('Set Webhook…', () => {
  const url = 'https://hooks.example.com/import?from=a%20b';
  const accessKey = 'webhook-key-0123456789';
  const service = ScriptedService.duringTests();
  const open = useWorkbench(() => ({
    settings: {
      'workbench.editor.useModal': 'off',
      'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
    },
  }));
  afterEach(() => open().workbench.notifications.clear());

  it('asks before it changes the service, sends the documented request, and shows the webhook from then on', async () => {
    const { workbench } = open();
    const { quickInput, dialog } = workbench;
    await workbench.runCommand('Dataset Import: Set Webhook…');
    await quickInput.answer("Access-Key of dataset 'Manuals'", accessKey);
    await quickInput.waitFor("Webhook of dataset 'Manuals'");
    for (const bad of ['hooks.example.com', 'ftp://hooks.example.com', 'https://']) {
      await quickInput.type(bad);
      await quickInput.waitFor('Enter a URL that begins with https:// or http://.');
    }
    await quickInput.type(url);
    await quickInput.waitFor('It must be reachable from there.');
    await quickInput.accept();
    const asked = await dialog.waitFor(`Set the webhook of dataset 'Manuals' to '${url}'?`);
    assert.match(asked, /This changes the state of the service/);
    await dialog.click('Cancel');
    await workbench.openContainer('Dataset Import');
    await set(url);
    await workbench.notifications.waitFor(`'Manuals' took ${url} as its webhook.`);
    // The first request of all: nothing was sent that was not confirmed.
    const [request, ...more] = service.requests;
    assert.deepEqual(more, []);
    assert.equal(request?.path, '/openapi/open/v1/set-webhook');
    assert.equal(request?.body.toString(), JSON.stringify({ url }));
    const ofTheWire = /^(?:host|connection|content-length)$/i;
    assert.deepEqual(
      request?.headers.filter(([name]) => !ofTheWire.test(name)),
      [
        ['Access-Key', accessKey],
        ['Content-Type', 'application/json'],
      ],
    );
    await waitForWebhook(url);
    await workbench.reload();
    await workbench.openContainer('Dataset Import');
    await waitForWebhook(url);
    service.setWebhook = () => refused('W-9', 'Only one webhook');
    await set('http://127.0.0.1:1/other', url);
    const told = await workbench.notifications.waitFor(/'Manuals' rejected the webhook: code W-9: .*Only one webhook/);
    assert.equal(await told.severity(), 'warning');
    await waitForWebhook(url);
  });

  it('asks for another key for the origin that the dataset has by then', async () => {
    const { workbench } = open();
    const datasets = workbench.view('Datasets');
    service.setWebhook = () => refused('401', 'Who is it?', 401);
    await giveKey(open(), 'Manuals', accessKey);
    await set(url);
    const told = await workbench.notifications.waitFor("'Manuals' rejected the webhook");
    const settings = readFileSync(settingsFile(open()), 'utf8');
    const moved = 'https://moved.example.com';
    await editSettings(open(), settings.replace(service.url, moved));
    await datasets.waitForRow('Manuals', ({ description }) => description.endsWith('moved.example.com'));
    await told.click('Replace Access Key…');
    const prompt = await workbench.quickInput.waitFor("Access-Key of dataset 'Manuals'");
    assert.ok(prompt.includes(`It is sent to ${moved} only`), prompt);
    await workbench.quickInput.cancel();
    await editSettings(open(), settings);
    await datasets.waitForRow('Manuals', ({ description }) => description.endsWith(service.host));
  });

  it('is not verified where the response does not say it, and applied again on the word of the user', async () => {
    const { workbench } = open();
    const uncertain = 'https://hooks.example.com/uncertain';
    service.setWebhook = () => ({ status: 500, body: '<h1>Oops</h1>' });
    await giveKey(open(), 'Manuals', accessKey);
    const sent = service.webhooks.length;
    await set(uncertain);
    const told = await workbench.notifications.waitFor("It is not certain whether 'Manuals' took the webhook.");
    assert.deepEqual(await told.buttons(), ['Apply Again']);
    await waitForWebhook(`not verified: ${uncertain}`);
    await workbench.notifications.clear();
    service.setWebhook = () => ({ status: 503, body: '', headers: { 'Retry-After': '2' } });
    await set(uncertain, uncertain);
    const asks = await workbench.notifications.waitFor(/It is not certain whether .* It asks to wait 2 s\./);
    service.setWebhook = () => taken('{}');
    await asks.click('Apply Again');
    await workbench.notifications.waitFor(`'Manuals' took ${uncertain} as its webhook.`);
    assert.deepEqual(
      service.webhooks.slice(sent).map(({ body }) => body.toString()),
      Array.from({ length: 3 }, () => JSON.stringify({ url: uncertain })),
    );
    await waitForWebhook(uncertain);
  });

  /** Waits until the dataset's row of its webhook says this. */
  async function waitForWebhook(says: string): Promise<void> {
    const datasets = open().workbench.view('Datasets');
    await datasets.expand('Manuals');
    await datasets.waitForRow('Webhook', ({ description }) => description === says);
  }

  /** Sets the webhook from the dataset's menu, and confirms it; the box is expected to begin with the last one, if told. */
  async function set(typed: string, last?: string): Promise<void> {
    const { workbench } = open();
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.waitFor("Webhook of dataset 'Manuals'");
    if (last !== undefined) assert.equal(await workbench.quickInput.value(), last);
    await workbench.quickInput.type(typed);
    await workbench.quickInput.accept();
    await workbench.dialog.waitFor('Set the webhook');
    await workbench.dialog.click('Set Webhook');
  }
});
