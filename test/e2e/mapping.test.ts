import assert from 'node:assert/strict';
import { ShapeService } from '../host/editor/mapping/shapes/shapeService';
import { Newcomer, OwnWords } from './ownWords';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

// The ways to every service, and what each choice changes, are walked in the extension host; here are those of a person.
describe('A service that speaks in its own way', () => {
  let oddNames: OwnWords;
  let nestedStates: ShapeService;
  before(async () => {
    oddNames = await OwnWords.start();
    const phase = (name: string, percent: number) => `{"importTask":{"phase":{"name":"${name}","percent":${percent}}}}`;
    nestedStates = await ShapeService.start({
      begins: (task) => `{"importTask":{"id":"t-${task}"}}`,
      tells: [
        [phase('RECEIVED_0', 0), 'running'],
        [phase('INDEXING_2', 50), 'running'],
        [phase('IN_DATASET', 100), 'succeeded'],
      ],
    });
  });
  after(() => Promise.all([oddNames, nestedStates].map((service) => service.close())));
  const open = useWorkbench(() => ({
    files: {
      'letter.txt': 'one\n',
      'later.txt': 'two\n',
      'a.txt': 'four\n',
      'b.txt': 'five\n',
    },
    settings: {
      'datasetImport.datasets': [
        {
          name: 'nestedStates',
          baseUrl: nestedStates.url,
          contract: { queryTask: { status: '/importTask/phase/name', statusMeanings: { IN_DATASET: 'succeeded' } } },
        },
        // So that an import has to ask for the dataset.
        { name: 'Other', baseUrl: 'https://import.example.com' },
      ],
    },
  }));
  afterEach(() => open().workbench.notifications.clear());

  it('becomes usable by three picks where nothing has a name that could be guessed, and stays so', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const service = oddNames;
    const newcomer = new Newcomer(workbench, service.host);
    await newcomer.importFirst('letter.txt', service);
    const told = await workbench.notifications.waitFor(
      `Uploaded 'letter.txt' to ${service.host}, but no task ID was recognized in the response.`,
    );
    service.moveOn();
    await workbench.openContainer('Dataset Import');
    await row('letter.txt', /^task ID not recognized/);
    await told.click('Choose the Task ID…');
    const id = service.lastId(/"ref":"([^"]+)"/);
    await newcomer.pick(`Task ID in the responses of dataset '${service.host}'`, id);
    await newcomer.follow(/rejected the status check .*code 400: .*"q" is an object whose "ref"/, 'Edit Request…');
    await newcomer.editPart('Status Check Body', '{"q": {"ref": "${taskId}"}}');
    await workbench.notifications.waitFor("No status was recognized in the response for 'letter.txt'.");
    await tasks.clickInline('Choose the Status…', 'letter.txt');
    await newcomer.pick(`Status in the responses of dataset '${service.host}'`, 'Z');
    await newcomer.sayWhatItMeans('Z', 'Succeeded');
    await row('letter.txt', /^succeeded/);
    assert.equal(newcomer.picks, 3);
    assert.equal(service.queries.at(-1), `{"q":{"ref":"${id}"}}`);
    const tooltip = await tasks.tooltip('letter.txt');
    assert.ok(tooltip.includes(`Task ID: ${id}\n`), tooltip);

    await workbench.reload();
    await newcomer.importFile('later.txt');
    await workbench.saysInStatusBar(`Uploaded 'later.txt' to ${service.host}.`);
    await workbench.notifications.clear();
    service.moveOn();
    await workbench.openContainer('Dataset Import');
    await row('later.txt', /^succeeded/);
    assert.deepEqual(await workbench.notifications.texts(), []);
  });

  it('can be understood otherwise later, which asks first where it changes how tasks ended', async () => {
    const { workbench } = open();
    const tasks = workbench.view('Tasks');
    const service = nestedStates;
    const newcomer = new Newcomer(workbench, 'nestedStates');
    await workbench.explorer.chooseFor('Import to Dataset…', 'a.txt', 'b.txt');
    await workbench.quickInput.waitFor('Select a dataset');
    await workbench.quickInput.pick('nestedStates');
    await workbench.quickInput.answer("Access Key of 'nestedStates'", service.accessKey);
    await workbench.saysInStatusBar('Uploaded 2 files to nestedStates.');
    service.moveOn(1);
    await workbench.openContainer('Dataset Import');
    await bothRows(/^status 'INDEXING_2'/);
    await workbench.runCommand('Dataset Import: Map Responses…');
    await newcomer.pick('Select a dataset', 'nestedStates', 'asks more');
    await newcomer.pick("Select how to read the responses of dataset 'nestedStates'", 'Progress', 'asks more');
    await newcomer.pick("Progress in the responses of dataset 'nestedStates'", '50');
    // It changes no end, so nothing is asked.
    await bothRows(/^status 'INDEXING_2' · 50%/);
    service.moveOn(2);
    await bothRows(/^succeeded/);

    await workbench.view('Datasets').chooseFor('Map Responses…', 'nestedStates');
    await newcomer.pick("Select how to read the responses of dataset 'nestedStates'", 'Map Statuses…', 'asks more');
    await newcomer.changeMeaning('IN_DATASET', 'Failed');
    await apply();
    await bothRows(/^failed/);

    await tasks.chooseFor('Map Responses > Map Statuses…', 'a.txt');
    await newcomer.changeMeaning('IN_DATASET');
    await apply();
    await bothRows(/^status 'IN_DATASET'/);
    const asked = service.queries.length;
    await waitUntil('more queries', async () => service.queries.length >= asked + 4 || undefined);
    await bothRows(/^status 'IN_DATASET'/);
    await tasks.clickInline('Map Statuses…', 'a.txt');
    await newcomer.changeMeaning('IN_DATASET', 'Succeeded');
    await bothRows(/^succeeded/);

    await tasks.chooseFor('Map Responses > Choose the Status…', 'a.txt');
    await newcomer.pick("Status in the responses of dataset 'nestedStates'", 'Recognize Automatically');
    await apply();
    await bothRows(/^status not recognized/);
    await tasks.clickInline('Choose the Status…', 'a.txt');
    await newcomer.pick("Status in the responses of dataset 'nestedStates'", 'IN_DATASET');
    await bothRows(/^succeeded/);
  });

  /** Confirms that both tasks end otherwise. */
  async function apply(): Promise<void> {
    await open().workbench.dialog.waitFor("Apply this to 2 tasks of dataset 'nestedStates'?");
    await open().workbench.dialog.click('Apply');
  }

  async function row(name: string, spoken: RegExp): Promise<void> {
    await open()
      .workbench.view('Tasks')
      .waitForRow(name, (seen) => spoken.test(seen.spoken));
  }

  async function bothRows(spoken: RegExp): Promise<void> {
    for (const name of ['a.txt', 'b.txt']) await row(name, spoken);
  }
});
