import assert from 'node:assert/strict';
import { ShapeService } from '../host/editor/mapping/shapes/shapeService';
import { giveKey } from './giveKey';
import { useWorkbench } from './useWorkbench';

describe('The request of a service that wants more than is assumed', () => {
  let service: ShapeService;
  before(async () => {
    service = await ShapeService.start({
      lacks: ({ form }) => {
        const missing = ['document', 'datasetCode', 'fileName'].filter((name) => form[name] === undefined);
        return missing.map((name) => `form part '${name}' is required`).join('; ') || undefined;
      },
      tells: [['{"status":"SUCCEEDED"}', 'succeeded']],
    });
  });
  after(() => service.close());
  const open = useWorkbench(
    () => ({
      files: { 'letter.txt': 'one\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Letters', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Letters', service.accessKey),
  );

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
});
