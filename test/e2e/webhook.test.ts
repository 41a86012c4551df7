import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editSettings, settingsFile } from './editSettings';
import { giveKey } from './giveKey';
import { refused, ScriptedService, value } from './scriptedService';
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
    await quickInput.answer("Access Key of 'Manuals'", accessKey);
    await quickInput.waitFor("Webhook of 'Manuals'");
    for (const bad of ['hooks.example.com', 'ftp://hooks.example.com', 'https://', 'https:hooks.example.com']) {
      await quickInput.type(bad);
      await quickInput.waitFor('Enter a URL that begins with https:// or http://.');
    }
    await quickInput.type('https://me:secret@hooks.example.com');
    await quickInput.waitFor('The URL must not contain a user name or password.');
    await quickInput.type(url);
    await quickInput.waitFor('The service must be able to reach it.');
    await quickInput.accept();
    const asked = await dialog.waitFor(`Set the webhook of dataset 'Manuals' to '${url}'?`);
    assert.match(asked, /It changes the service for everyone who uses the dataset\./);
    assert.ok(asked.includes(`${service.url}/openapi/open/v1/set-webhook`), asked);
    await dialog.click('Cancel');
    await workbench.openContainer('Dataset Import');
    await set(url);
    await workbench.notifications.waitFor(`The webhook of 'Manuals' is now ${url}.`);
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
    const told = await workbench.notifications.waitFor(/Manuals rejected the webhook: code W-9: .*Only one webhook/);
    assert.equal(await told.severity(), 'warning');
    assert.deepEqual(await told.buttons(), ['Change URL…', 'Edit Request…']);
    await waitForWebhook(url);
    await told.click('Change URL…');
    await quickInput.waitFor("Webhook of 'Manuals'");
    await quickInput.waitForValue('http://127.0.0.1:1/other');
    await quickInput.cancel();
  });

  it('is previewed before it is sent, and leads to its path where that is another one', async () => {
    const { workbench } = open();
    const { dialog, quickInput, notifications, editors } = workbench;
    await giveKey(open(), 'Manuals', accessKey);
    const sent = service.requests.length;
    await type(url);
    await dialog.click('Preview Request');
    await editors.waitForActive('Manuals (webhook request)');
    const text = await editors.waitForText((shown) => shown.includes(`{"url":"${url}"}`));
    assert.match(text, /^POST \/openapi\/open\/v1\/set-webhook HTTP\/1\.1$/m);
    assert.match(text, /^Access-Key: •+$/m);
    assert.equal(service.requests.length, sent);
    service.setWebhook = () => ({ status: 404, body: 'no such path' });
    await (await notifications.waitFor("This request sets the webhook of 'Manuals'.")).click('Set Webhook');
    const told = await notifications.waitFor('The path /openapi/open/v1/set-webhook is assumed.');
    assert.deepEqual(await told.buttons(), ['Edit Request…', 'Change URL…']);
    service.setWebhook = () => value('{}');
    await told.click('Edit Request…');
    await quickInput.waitFor('Webhook Path');
    await quickInput.type('/hooks/v2/set-webhook');
    await quickInput.accept();
    assert.match(await dialog.waitFor('Set the webhook'), /\/hooks\/v2\/set-webhook\./);
    await dialog.click('Set Webhook');
    await notifications.waitFor(`The webhook of 'Manuals' is now ${url}.`);
    assert.equal(service.requests.at(-1)?.path, '/hooks/v2/set-webhook');
  });

  it('goes on with what was wanted once another key is entered', async () => {
    const { workbench } = open();
    service.setWebhook = () => refused('401', 'Who is it?', 401);
    await giveKey(open(), 'Manuals', 'an-outdated-key-0123');
    await set(url);
    const told = await workbench.notifications.waitFor('Manuals rejected the webhook');
    service.setWebhook = () => value('{}');
    await told.click('Replace Access Key…');
    await workbench.quickInput.answer("Access Key of 'Manuals'", accessKey);
    await workbench.notifications.waitFor(`The webhook of 'Manuals' is now ${url}.`);
    assert.ok(service.requests.at(-1)?.headers.some(([, value]) => value === accessKey));
  });

  it('asks for another key for the origin that the dataset has by then', async () => {
    const { workbench } = open();
    const datasets = workbench.view('Datasets');
    service.setWebhook = () => refused('401', 'Who is it?', 401);
    await giveKey(open(), 'Manuals', accessKey);
    await set(url);
    const told = await workbench.notifications.waitFor('Manuals rejected the webhook');
    const settings = readFileSync(settingsFile(open()), 'utf8');
    const moved = 'https://moved.example.com';
    await editSettings(open(), settings.replace(service.url, moved));
    await datasets.waitForRow('Manuals', ({ description }) => description.endsWith('moved.example.com'));
    await told.click('Replace Access Key…');
    const prompt = await workbench.quickInput.waitFor("Access Key of 'Manuals'");
    assert.ok(prompt.includes(`sent only to ${new URL(moved).host}.`), prompt);
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
    const told = await workbench.notifications.waitFor('Manuals may have received the webhook');
    assert.deepEqual(await told.buttons(), ['Retry']);
    await waitForWebhook(`unconfirmed: ${uncertain}`);
    await workbench.notifications.clear();
    service.setWebhook = () => ({ status: 503, body: '', headers: { 'Retry-After': '2' } });
    await set(uncertain, uncertain);
    const asks = await workbench.notifications.waitFor(
      /may have received the webhook.* The service asks to wait 2 s\./,
    );
    service.setWebhook = () => value('{}');
    await asks.click('Retry');
    await workbench.notifications.waitFor(`The webhook of 'Manuals' is now ${uncertain}.`);
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
    await type(typed, last);
    await open().workbench.dialog.click('Set Webhook');
  }

  /** Types the webhook, until it is to be confirmed. */
  async function type(typed: string, last?: string): Promise<void> {
    const { workbench } = open();
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.waitFor("Webhook of 'Manuals'");
    if (last !== undefined) await workbench.quickInput.waitForValue(last);
    await workbench.quickInput.type(typed);
    await workbench.quickInput.accept();
    await workbench.dialog.waitFor('Set the webhook');
  }
});
