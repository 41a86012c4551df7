import { giveKey } from './giveKey';
import { ScriptedService, value } from './scriptedService';
import { useWorkbench } from './useWorkbench';

// Every shape is walked in the extension host; here is one as a person sees it.
describe('A state that several values tell', () => {
  const service = ScriptedService.duringTests();
  const open = useWorkbench(
    () => ({
      files: { 'flags.txt': 'one\n', 'steps.txt': 'two\n' },
      settings: { 'datasetImport.datasets': [{ name: 'Manuals', baseUrl: service.url }] },
    }),
    (opened) => giveKey(opened, 'Manuals', 'told-states-key-0123456789'),
  );
  afterEach(() => open().workbench.notifications.clear());

  async function imports(file: string): Promise<void> {
    const { workbench } = open();
    await workbench.explorer.chooseFor('Import to Dataset…', file);
    await workbench.saysInStatusBar(`Uploaded '${file}' to Manuals.`);
    await workbench.openContainer('Dataset Import');
  }

  async function row(name: string, spoken: RegExp): Promise<void> {
    await open()
      .workbench.view('Tasks')
      .waitForRow(name, (seen) => spoken.test(seen.spoken));
  }

  it('is understood by one pick from the response, and what is null is no report yet', async () => {
    const { workbench } = open();
    service.queryTask = () => value('null');
    await imports('flags.txt');
    await row('flags.txt', /^accepted, no status yet/);
    service.queryTask = () => value('{"job":{"finished":false,"success":null}}');
    const asked = await workbench.notifications.waitFor("No status was recognized in the response for 'flags.txt'.");
    await asked.click('Edit State Rules…');
    await workbench.quickInput.waitFor("State Rules of Dataset 'Manuals'");
    await workbench.quickInput.pick("Succeeded when 'finished' is true and 'success' is true");
    await row('flags.txt', /^running/);
    service.queryTask = () => value('{"job":{"finished":true,"success":true}}');
    await row('flags.txt', /^succeeded/);
  });

  it('is told otherwise once the rules are changed', async () => {
    const { workbench } = open();
    const title = "State Rules of Dataset 'Manuals'";
    service.queryTask = () => value('{"job":{"finished":false,"success":null,"paused":true}}');
    await imports('steps.txt');
    await row('steps.txt', /^running/);
    await workbench.view('Tasks').chooseFor('Map Responses > Edit State Rules…', 'steps.txt');
    await workbench.quickInput.waitFor(title);
    await workbench.quickInput.pick('paused: true');
    await workbench.quickInput.waitFor('paused: true');
    await workbench.quickInput.pick("Failed when 'paused' is true");
    await row('steps.txt', /^failed/);
    await workbench.runCommand('Dataset Import: Map Responses…');
    await workbench.quickInput.waitFor("Select how to read the responses of dataset 'Manuals'");
    await workbench.quickInput.pick("Failed when 'paused' is true");
    await workbench.quickInput.waitFor('The first rule that applies tells the state.');
    await workbench.quickInput.pick('Remove');
    await workbench.dialog.waitFor("Apply this to 1 task of dataset 'Manuals'?");
    await workbench.dialog.click('Apply');
    await row('steps.txt', /^running/);
  });
});
