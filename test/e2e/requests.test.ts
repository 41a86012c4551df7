import assert from 'node:assert/strict';
import { ShapeService } from '../host/editor/mapping/shapes/shapeService';
import { useWorkbench } from './useWorkbench';

describe('The request of a service that wants more than is assumed', () => {
  let service: ShapeService;
  before(async () => {
    service = await ShapeService.start({
      lacks: ({ form }) => {
        const missing = ['document', 'datasetCode', 'fileName'].filter((name) => form[name] === undefined);
        return missing.map((name) => `form part '${name}' is required`).join('; ') || undefined;
      },
      begins: (task) => `{"taskId":"t-${task}"}`,
      query: (task) => `{"taskId":"t-${task}"}`,
      unknown: () => 'There is no such task.',
      tells: [['{"status":"SUCCEEDED"}', 'succeeded']],
    });
  });
  after(() => service.close());
  const open = useWorkbench(() => ({ files: { 'letter.txt': 'one\n', 'later.txt': 'two\n' } }));
  afterEach(() => open().workbench.notifications.clear());

  it('is tested once its dataset is added, and asks for nothing that a service does not have', async () => {
    const { workbench } = open();
    const { quickInput, notifications } = workbench;
    await workbench.runCommand('Dataset Import: Add Dataset…');
    await quickInput.answer('Enter the base URL of the service.', service.url);
    await quickInput.answer('Paste the access key', 'not-the-key-0123456789');
    await (await notifications.waitFor(`Dataset '${service.host}' added.`)).click('Rename…');
    await quickInput.answer('Rename Dataset', 'Letters');
    await workbench.openContainer('Dataset Import');
    await workbench.view('Datasets').clickInline('Test Connection', 'Letters');
    const refused = await notifications.waitFor('Letters was reached, but the access key was rejected:');
    assert.equal(await refused.severity(), 'warning');
    await refused.click('Replace Access Key…');
    await quickInput.answer("Access Key of 'Letters'", service.accessKey);
    const reached = await notifications.waitFor(
      /^Connected to Letters\. .* to the previous access key with HTTP 401, and to this one with code 400: There is no such task\./,
    );
    assert.equal(await reached.severity(), 'info');
    assert.deepEqual(await reached.buttons(), ['Import Files…', 'Replace Access Key…', 'Edit Request…']);
    assert.deepEqual([service.queries.length, service.imports.length], [2, 0]);
    assert.deepEqual(await workbench.view('Tasks').rows(), []);
    await workbench.view('Datasets').clickInline('Test Connection', 'Letters');
    await notifications.waitFor('Connected to Letters. The first import will show whether it accepts the access key.');
  });

  it('is completed part by part as the service names them, by a pick each', async () => {
    const { workbench } = open();
    const { quickInput, notifications } = workbench;
    await workbench.explorer.chooseFor('Import to Dataset…', 'letter.txt');
    const rejected = await notifications.waitFor(/Letters rejected 'letter\.txt': .*form part 'document' is required/);
    await rejected.click('Edit Request and Retry…');
    const said = await quickInput.waitFor("Form Field 'document'");
    assert.match(said, /form part 'document' is required; form part 'datasetCode' is required/);
    // The file itself comes first.
    await quickInput.waitForActive('The File Itself');
    await quickInput.accept();
    const next = await notifications.waitFor(/Letters rejected 'letter\.txt': code \d+: form part 'datasetCode'/);
    await next.click('Edit Request and Retry…');
    await quickInput.waitFor("Form Field 'datasetCode'");
    await quickInput.type('A1');
    // However fast Enter follows, what was typed is taken.
    await quickInput.accept();
    await notifications.waitFor(/Letters rejected 'letter\.txt': code \d+: form part 'fileName' is required/);
    await notifications.clear();
    // What the message offered the row goes on to offer.
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').clickInline('Edit Request…', 'letter.txt');
    await quickInput.waitFor("examples from 'letter.txt'");
    assert.deepEqual(
      (await quickInput.rows()).slice(0, 3).map(({ label, description }) => [label, description]),
      [
        ['File Name', 'letter.txt'],
        ['Relative Path', 'letter.txt'],
        ['Extension', 'txt'],
      ],
    );
    await quickInput.pick('File Name');
    await quickInput.closed();
    await (await notifications.waitFor("The request settings of dataset 'Letters' were changed.")).click(
      'Import Again',
    );
    await workbench.saysInStatusBar("Uploaded 'letter.txt' to Letters.");
    assert.deepEqual(Object.entries(service.imports.at(-1)?.form ?? {}), [
      ['datasetCode', 'A1'],
      ['fileName', 'letter.txt'],
      ['document', 'one\n'],
    ]);
    assert.equal(service.imports.length, 4);
  });

  it('waits for another key, which its row asks for where the message that offered it is gone', async () => {
    const { workbench } = open();
    const { quickInput, notifications } = workbench;
    await workbench.runCommand('Dataset Import: Set Access Key…');
    await quickInput.answer("Access Key of 'Letters'", 'an-outdated-key-0123456789');
    await workbench.explorer.chooseFor('Import to Dataset…', 'later.txt');
    await notifications.waitFor('The imports to Letters wait until you replace the access key');
    await notifications.clear();
    await workbench.openContainer('Dataset Import');
    await workbench.view('Tasks').clickInline('Replace Access Key…', 'later.txt');
    await quickInput.answer("Access Key of 'Letters'", service.accessKey);
    await workbench.saysInStatusBar("Uploaded 'later.txt' to Letters.");
  });
});
