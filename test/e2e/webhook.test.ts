import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { editSettings, settingsFile } from './editSettings';
import { refused, ScriptedService, taken } from './scriptedService';
import { useWorkbench } from './useWorkbench';

describe('Set Webhook…', () => {
  const url = 'https://hooks.example.com/import?from=a%20b';
  const uncertain = 'https://hooks.example.com/uncertain';
  let service: ScriptedService;
  before(async () => {
    service = await ScriptedService.start();
  });
  after(() => service.close());
  const open = useWorkbench(() => ({
    settings: {
      'workbench.editor.useModal': 'off',
      'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }],
    },
  }));
  afterEach(() => open().workbench.notifications.clear());

  /** Waits until the dataset's row of its webhook says this. */
  async function waitForWebhook(says: string): Promise<void> {
    const datasets = open().workbench.view('Datasets');
    await datasets.expand('Manuals');
    await datasets.waitForRow('Webhook', ({ description }) => description === says);
  }

  it('checks the URL as it is typed and asks before it changes the service', async () => {
    const { workbench } = open();
    await workbench.runCommand('Dataset Import: Set Webhook…');
    await workbench.quickInput.response("Access-Key of dataset 'Manuals'", 'webhook-key-0123456789');
    await workbench.quickInput.waitFor("Webhook of dataset 'Manuals'");
    for (const bad of ['hooks.example.com', 'ftp://hooks.example.com', 'https://']) {
      await workbench.quickInput.type(bad);
      await workbench.quickInput.waitFor('Enter a URL that begins with https:// or http://.');
    }
    await workbench.quickInput.type(url);
    await workbench.quickInput.waitFor('It must be reachable from there.');
    await workbench.quickInput.accept();
    const asked = await workbench.dialog.waitFor(`Set the webhook of dataset 'Manuals' to '${url}'?`);
    assert.match(asked, /This changes the state of the service/);
    assert.equal(service.requests.length, 0);
    await workbench.dialog.click('Cancel');
    assert.equal(service.requests.length, 0);
  });

  it('sends the documented request, no header more, and reports the answer', async () => {
    const { workbench } = open();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.response("Webhook of dataset 'Manuals'", url);
    await workbench.dialog.waitFor('Set the webhook');
    await workbench.dialog.click('Set Webhook');
    await workbench.notifications.waitFor(`'Manuals' took ${url} as its webhook.`);
    const [request] = service.webhooks;
    assert.equal(request?.path, '/openapi/open/v1/set-webhook');
    assert.equal(request?.body.toString(), JSON.stringify({ url }));
    const ofTheWire = /^(?:host|connection|content-length)$/i;
    assert.deepEqual(
      request?.headers.filter(([name]) => !ofTheWire.test(name)),
      [
        ['Access-Key', 'webhook-key-0123456789'],
        ['Content-Type', 'application/json'],
      ],
    );
    assert.equal(service.webhooks.length, 1);
  });

  it('shows the last one set on the dataset, after a reload too', async () => {
    const { workbench } = open();
    for (const reload of [false, true]) {
      if (reload) await workbench.reload();
      await workbench.openContainer('Dataset Import');
      await waitForWebhook(url);
    }
  });

  it('says so when the service says no, and keeps showing the one before', async () => {
    const { workbench } = open();
    service.setWebhook = () => refused('W-9', 'Only one webhook');
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.waitFor("Webhook of dataset 'Manuals'");
    assert.equal(await workbench.quickInput.value(), url);
    await workbench.quickInput.type('http://127.0.0.1:1/other');
    await workbench.quickInput.accept();
    await workbench.dialog.waitFor('Set the webhook');
    await workbench.dialog.click('Set Webhook');
    const told = await workbench.notifications.waitFor(/'Manuals' rejected the webhook: code W-9: .*Only one webhook/);
    assert.equal(await told.severity(), 'warning');
    assert.equal(service.webhooks.length, 2);
    await waitForWebhook(url);
  });

  it('asks for another key for the origin that the dataset has by then', async () => {
    const { workbench } = open();
    service.setWebhook = () => refused('401', 'Who is it?', 401);
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.response("Webhook of dataset 'Manuals'", url);
    await workbench.dialog.waitFor('Set the webhook');
    await workbench.dialog.click('Set Webhook');
    const told = await workbench.notifications.waitFor("'Manuals' rejected the webhook");
    const settings = readFileSync(settingsFile(open()), 'utf8');
    const moved = 'https://moved.example.com';
    await editSettings(open(), settings.replace(service.url, moved));
    await workbench
      .view('Datasets')
      .waitForRow('Manuals', ({ description }) => description.endsWith('moved.example.com'));
    await told.click('Replace Access-Key…');
    const prompt = await workbench.quickInput.waitFor("Access-Key of dataset 'Manuals'");
    assert.ok(prompt.includes(`It is sent to ${moved} only`), prompt);
    await workbench.quickInput.cancel();
    await editSettings(open(), settings);
    await workbench.view('Datasets').waitForRow('Manuals', ({ description }) => description.endsWith(service.host));
  });

  it('is not verified where the answer does not say it', async () => {
    const { workbench } = open();
    const sent = service.webhooks.length;
    service.setWebhook = () => ({ status: 500, body: '<h1>Oops</h1>' });
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.response("Webhook of dataset 'Manuals'", uncertain);
    await workbench.dialog.waitFor('Set the webhook');
    await workbench.dialog.click('Set Webhook');
    const told = await workbench.notifications.waitFor("It is not certain whether 'Manuals' took the webhook.");
    assert.deepEqual(await told.buttons(), ['Apply Again']);
    assert.equal(service.webhooks.length, sent + 1);
    await waitForWebhook(`not verified: ${uncertain}`);
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.waitFor("Webhook of dataset 'Manuals'");
    assert.equal(await workbench.quickInput.value(), uncertain);
    await workbench.quickInput.cancel();
  });

  it('is applied again on the word of the user: the same URL, with no further question', async () => {
    const { workbench } = open();
    const sent = service.webhooks.length;
    service.setWebhook = () => ({ status: 503, body: '', headers: { 'Retry-After': '2' } });
    await workbench.view('Datasets').chooseFor('Set Webhook…', 'Manuals');
    await workbench.quickInput.response("Webhook of dataset 'Manuals'", uncertain);
    await workbench.dialog.waitFor('Set the webhook');
    await workbench.dialog.click('Set Webhook');
    const told = await workbench.notifications.waitFor(/It is not certain whether .* It asks to wait 2 s\./);
    service.setWebhook = () => taken('{}');
    await told.click('Apply Again');
    await workbench.notifications.waitFor(`'Manuals' took ${uncertain} as its webhook.`);
    assert.equal(service.webhooks.length, sent + 2);
    assert.equal(service.webhooks.at(-1)?.body.toString(), JSON.stringify({ url: uncertain }));
    await waitForWebhook(uncertain);
  });
});
