import assert from 'node:assert/strict';
import type { SandboxProfileId } from '../../src/sandbox/sandbox';
import { Newcomer, OwnWords } from './ownWords';
import { useWorkbench } from './useWorkbench';
import { waitUntil } from './waitUntil';

describe('A service that speaks in its own way', () => {
  const names = [
    'standard',
    'numericIds',
    'nestedStates',
    'unrecognizable',
    'pairs',
    'listInData',
    'bareData',
    'requiredParts',
    'gateway',
  ] as const satisfies readonly SandboxProfileId[];
  const services = new Map<string, OwnWords>();
  before(async () => {
    for (const name of names) services.set(name, await OwnWords.start(name));
  });
  after(async () => {
    for (const service of services.values()) await service.close();
  });
  const open = useWorkbench(() => ({
    files: {
      ...Object.fromEntries(
        names.flatMap((name) => [
          [`${name}.txt`, 'one\ntwo\n'],
          [`${name} again.txt`, 'six\n'],
        ]),
      ),
      'unrecognizable later.txt': 'nine\n',
      'unrecognizable last.txt': 'twelve\n',
    },
  }));
  afterEach(() => open().workbench.notifications.clear());

  describe('becomes usable by what is offered', () => {
    it('without a pick where it speaks as is assumed', async () => {
      const { service, newcomer } = await begin('standard');
      await accepted('standard');
      service.moveOn('end');
      await succeeds('standard');
      assert.equal(newcomer.picks, 0);
      await idIsRight('standard', /"taskId":"([^"]+)"/, (id) => `{"taskId":"${id}"}`);
    });

    it('by one pick where ids are numbers of 19 digits and states are numbers', async () => {
      const { service, newcomer } = await begin('numericIds');
      await accepted('numericIds');
      service.moveOn('end');
      await open().workbench.openContainer('Dataset Import');
      await newcomer.follow("'numericIds' rejected the query about 'numericIds.txt': code 400", 'Edit Request…');
      assert.equal(await newcomer.editPart('Body of the query'), '{"id":"${taskId}"}');
      await newcomer.sayWhatItMeans('2', 'Succeeded');
      await succeeds('numericIds');
      assert.equal(newcomer.picks, 1);
      await idIsRight('numericIds', /"id":(\d{19}),/, (id) => `{"id":${id}}`);
    });

    it('by two picks where states are nested and have names of their own', async () => {
      const { service, newcomer } = await begin('nestedStates');
      await accepted('nestedStates');
      service.moveOn('middle');
      await open().workbench.openContainer('Dataset Import');
      await row('nestedStates', /^status not recognised/);
      await newcomer.follow("No status was recognised in the answer about 'nestedStates.txt'.", 'Choose the Status…');
      await newcomer.pick("Status in the answers of dataset 'nestedStates'", 'INDEXING_2');
      await row('nestedStates', /^status 'INDEXING_2'/);
      service.moveOn('end');
      await newcomer.sayWhatItMeans('IN_DATASET', 'Succeeded');
      await succeeds('nestedStates');
      assert.equal(newcomer.picks, 2);
      await idIsRight('nestedStates', /"importTask":\{"id":"([^"]+)"/, (id) => `{"taskId":"${id}"}`);
    });

    it('by three picks where nothing has a name that could be guessed', async () => {
      const { service, newcomer } = await begin('unrecognizable');
      const told = await open().workbench.notifications.waitFor(
        "'unrecognizable' accepted 'unrecognizable.txt', but no task ID was recognised in its answer.",
      );
      service.moveOn('end');
      await open().workbench.openContainer('Dataset Import');
      await row('unrecognizable', /^accepted, task ID not recognised/);
      await told.click('Choose the Task ID…');
      await newcomer.pick(
        "Task ID in the answers of dataset 'unrecognizable'",
        idOf('unrecognizable', /"ref":"([^"]+)"/),
      );
      await newcomer.follow(
        /'unrecognizable' rejected the query .*code 400: .*"q" is an object whose "ref"/,
        'Edit Request…',
      );
      await newcomer.editPart('Body of the query', '{"q": {"ref": "${taskId}"}}');
      await newcomer.follow("No status was recognised in the answer about 'unrecognizable.txt'.", 'Choose the Status…');
      await newcomer.pick("Status in the answers of dataset 'unrecognizable'", 'Z');
      await newcomer.sayWhatItMeans('Z', 'Succeeded');
      await succeeds('unrecognizable');
      assert.equal(newcomer.picks, 3);
      await idIsRight('unrecognizable', /"ref":"([^"]+)"/, (id) => `{"q":{"ref":"${id}"}}`);
    });

    it('without a pick where states are Chinese words and progress is a pair', async () => {
      const { service, newcomer } = await begin('pairs');
      await accepted('pairs');
      service.moveOn('middle');
      await open().workbench.openContainer('Dataset Import');
      await row('pairs', /^running 50 %/);
      service.moveOn('end');
      await succeeds('pairs');
      assert.equal(newcomer.picks, 0);
      await idIsRight('pairs', /"taskId":"([^"]+)"/, (id) => `{"taskId":"${id}"}`);
      const tooltip = await open().workbench.view('Tasks').tooltip('pairs.txt');
      assert.match(tooltip, /Status: 已完成 \(from \/status, recognised\)/);
      assert.match(tooltip, /Progress: 100 % \(from \/done, recognised\)/);
    });

    it('without a pick where answers hold a list and the query asks with one', async () => {
      const { service, newcomer } = await begin('listInData');
      await accepted('listInData');
      service.moveOn('middle');
      await open().workbench.openContainer('Dataset Import');
      await newcomer.follow(
        /'listInData' rejected the query about 'listInData\.txt': code 400: .*"importIds"/,
        'Edit Request…',
      );
      const began = await newcomer.editPart('Body of the query', '{"importIds": ["${taskId}"]}');
      assert.equal(began, '{"importId":"${taskId}"}');
      await row('listInData', /^running 50 %/);
      service.moveOn('end');
      await succeeds('listInData');
      assert.equal(newcomer.picks, 0);
      await idIsRight('listInData', /"importId":"([^"]+)"/, (id) => `{"importIds":["${id}"]}`);
    });

    it('without a pick where data is itself a list', async () => {
      const { service, newcomer } = await begin('bareData');
      await accepted('bareData');
      service.moveOn('end');
      await open().workbench.openContainer('Dataset Import');
      await newcomer.follow("'bareData' rejected the query about 'bareData.txt': code 400", 'Edit Request…');
      assert.equal(await newcomer.editPart('Body of the query'), '{"jobNo":"${taskId}"}');
      await succeeds('bareData');
      assert.equal(newcomer.picks, 0);
      await idIsRight('bareData', /"jobNo":"([^"]+)"/, (id) => `{"jobNo":"${id}"}`);
    });

    it('without a pick where form parts are required', async () => {
      const { service, newcomer } = await begin('requiredParts');
      await newcomer.follow(
        /'requiredParts' rejected 'requiredParts\.txt': code 1005: .*'document' is required/,
        'Edit Request…',
      );
      await newcomer.editPart('Form part of the file', 'document');
      await newcomer.follow("What is sent to dataset 'requiredParts' was changed.", 'Edit Request…');
      await newcomer.addPart('Add Form Field…', 'datasetCode', 'A1');
      await newcomer.follow("What is sent to dataset 'requiredParts' was changed.", 'Edit Request…');
      await newcomer.addPart('Add Form Field…', 'fileName', '${fileName}');
      await newcomer.follow("What is sent to dataset 'requiredParts' was changed.", 'Import Again');
      await accepted('requiredParts');
      service.moveOn('end');
      await succeeds('requiredParts');
      assert.equal(newcomer.picks, 0);
      await idIsRight('requiredParts', /"taskId":"([^"]+)"/, (id) => `{"taskId":"${id}"}`);
      const rows = await open().workbench.view('Tasks').rows();
      assert.equal(
        rows.filter(({ label }) => label === 'requiredParts.txt').length,
        1,
        'the refused import left a row',
      );
      assert.equal(service.imports.length, 2);
    });

    it('without a pick where a gateway wants a header', async () => {
      const { service, newcomer } = await begin('gateway');
      await newcomer.follow(
        /'gateway' rejected 'gateway\.txt': code 400: The header X-Tenant is required/,
        'Edit Request…',
      );
      await newcomer.addPart('Add Header…', 'X-Tenant', 'sandbox');
      await newcomer.follow("What is sent to dataset 'gateway' was changed.", 'Import Again');
      await accepted('gateway');
      service.moveOn('end');
      await succeeds('gateway');
      assert.equal(newcomer.picks, 0);
      await idIsRight('gateway', /"taskId":"([^"]+)"/, (id) => `{"taskId":"${id}"}`);
    });
  });

  describe('from then on', () => {
    it('shows where each value was read, and why there', async () => {
      const { workbench } = open();
      const chosen = await workbench.view('Tasks').tooltip('unrecognizable.txt');
      assert.match(chosen, /Task ID: x[0-9a-f]{32} \(from \/r\/x\/ref, as chosen\)/);
      assert.match(chosen, /Status: Z \(from \/r\/x\/st, as chosen\)/);
      const recognized = await workbench.view('Tasks').tooltip('nestedStates.txt');
      assert.match(recognized, /Task ID: \S+ \(from \/importTask\/id, recognised\)/);
      assert.match(recognized, /Status: IN_DATASET \(from \/importTask\/phase\/name, as chosen\)/);
    });

    it('is remembered over a reload: a second import to each is accepted, followed and understood', async () => {
      const { workbench } = open();
      await workbench.reload();
      await workbench.openContainer('Dataset Import');
      await row(names.at(-1) ?? '', /^succeeded/);
      for (const name of names) {
        await new Newcomer(workbench, name).importFile(`${name} again.txt`);
        await workbench.notifications.waitFor(`'${name}' accepted '${name} again.txt' as task`);
        serviceOf(name).moveOn('end');
        await workbench.notifications.clear();
      }
      await workbench.openContainer('Dataset Import');
      for (const name of names) await row(`${name} again`, /^succeeded/);
      assert.deepEqual(await workbench.notifications.texts(), []);
    });
  });

  describe('can be understood otherwise later:', () => {
    it('a wrong pick for the task ID takes nothing from the tasks that have one and ended', async () => {
      const { workbench } = open();
      const newcomer = new Newcomer(workbench, 'unrecognizable');
      const title = "Task ID in the answers of dataset 'unrecognizable'";
      const id = idOf('unrecognizable', /"ref":"([^"]+)"/);
      for (const choice of ['unrecognizable again.txt', id]) {
        await workbench.view('Tasks').chooseFor('Choose the Task ID…', 'unrecognizable again.txt');
        await newcomer.pick(title, choice);
        for (const name of ['unrecognizable', 'unrecognizable again']) await row(name, /^succeeded/);
        await copied('unrecognizable again', id);
      }
      assert.doesNotMatch(serviceOf('unrecognizable').queries.join('\n'), /unrecognizable again\.txt/);
    });

    it('a wrong meaning is changed with Map Answers…, and applied at once', async () => {
      const { workbench } = open();
      const newcomer = new Newcomer(workbench, 'nestedStates');
      for (const [meaning, state] of [
        ['Failed', /^failed/],
        ['Succeeded', /^succeeded/],
      ] as const) {
        await workbench.view('Datasets').chooseFor('Map Answers…', 'nestedStates');
        await newcomer.pick("How the answers of dataset 'nestedStates' are read", "'IN_DATASET' means", 'asks more');
        await newcomer.pick("What does 'IN_DATASET' mean?", meaning);
        await applied('nestedStates');
        await row('nestedStates', state);
        await row('nestedStates again', state);
      }
    });

    it('a meaning that is forgotten leaves the status as the service words it, unfinished and asked for', async () => {
      const { workbench } = open();
      const newcomer = new Newcomer(workbench, 'nestedStates');
      await workbench.view('Tasks').chooseFor('What Does This Status Mean?', 'nestedStates.txt');
      await newcomer.pick("What does 'IN_DATASET' mean?", 'Forget');
      await applied('nestedStates');
      await row('nestedStates', /^status 'IN_DATASET'/);
      await serviceOf('nestedStates').askedAgain(4);
      await row('nestedStates', /^status 'IN_DATASET'/);
      await workbench.view('Tasks').clickInline('What Does This Status Mean?', 'nestedStates.txt');
      await newcomer.pick("What does 'IN_DATASET' mean?", 'Succeeded');
      await applied('nestedStates');
      await row('nestedStates', /^succeeded/);
    });

    it('a place that is forgotten is recognised again', async () => {
      const { workbench } = open();
      const newcomer = new Newcomer(workbench, 'nestedStates');
      const title = "Status in the answers of dataset 'nestedStates'";
      await workbench.view('Tasks').chooseFor('Choose the Status…', 'nestedStates.txt');
      await newcomer.pick(title, 'Recognise by usual names');
      await applied('nestedStates');
      await row('nestedStates', /^status not recognised/);
      await workbench.view('Tasks').clickInline('Choose the Status…', 'nestedStates.txt');
      await newcomer.pick(title, 'IN_DATASET');
      await applied('nestedStates');
      await row('nestedStates', /^succeeded/);
    });

    it('what is not understood is chosen from the tooltip of its row', async () => {
      const { workbench } = open();
      const tasks = workbench.view('Tasks');
      const newcomer = new Newcomer(workbench, 'unrecognizable');
      const place = 'Recognise by usual names';
      for (const [pick, title, forget, forgotten, choice] of [
        ['What Does This Status Mean?', "What does 'Z' mean?", 'Forget', /^status 'Z'/, 'Succeeded'],
        ['Choose the Status…', "Status in the answers of dataset 'unrecognizable'", place, /^status not/, 'Z'],
      ] as const) {
        await tasks.chooseFor(pick, 'unrecognizable again.txt');
        await newcomer.pick(title, forget);
        await applied('unrecognizable');
        await row('unrecognizable again', forgotten);
        await tasks.clickInTooltip(pick, 'unrecognizable again.txt');
        await newcomer.pick(title, choice);
        await applied('unrecognizable');
        await row('unrecognizable again', /^succeeded/);
      }
      const title = "Task ID in the answers of dataset 'unrecognizable'";
      await tasks.chooseFor('Choose the Task ID…', 'unrecognizable again.txt');
      await newcomer.pick(title, place);
      await newcomer.importFile('unrecognizable later.txt');
      await workbench.openContainer('Dataset Import');
      await row('unrecognizable later', /^accepted, task ID not/);
      await tasks.clickInTooltip('Choose the Task ID…', 'unrecognizable later.txt');
      await newcomer.pick(title, idOf('unrecognizable', /"ref":"([^"]+)"/));
      serviceOf('unrecognizable').moveOn('end');
      await row('unrecognizable later', /^succeeded/);
    });

    it('progress and message are chosen with Map Answers… from the palette', async () => {
      const { workbench } = open();
      const newcomer = new Newcomer(workbench, 'unrecognizable');
      await newcomer.importFile('unrecognizable last.txt');
      await workbench.openContainer('Dataset Import');
      await row('unrecognizable last', /^accepted/);
      serviceOf('unrecognizable').moveOn('middle');
      await row('unrecognizable last', /^status '/);
      await workbench.runCommand('Dataset Import: Map Answers…');
      await newcomer.pick('Choose a dataset', 'unrecognizable', 'asks more');
      await newcomer.pick("How the answers of dataset 'unrecognizable' are read", 'Progress', 'asks more');
      await newcomer.pick("Progress in the answers of dataset 'unrecognizable'", '50');
      await waitUntil('the progress in the tooltip', async () => {
        const tooltip = await workbench.view('Tasks').tooltip('unrecognizable last.txt');
        return /Progress: 50 % \(from \/r\/x\/pc, as chosen\)/.test(tooltip) || undefined;
      });
    });
  });

  /** Imports the file of that service, which is not set up yet. */
  async function begin(name: string): Promise<{ service: OwnWords; newcomer: Newcomer }> {
    const service = serviceOf(name);
    const newcomer = new Newcomer(open().workbench, name);
    // Where there is one dataset, imports go there without asking.
    if (name === names[1]) {
      await newcomer.addDataset(service);
      await newcomer.importFile(`${name}.txt`);
    } else {
      await newcomer.importFirst(`${name}.txt`, service);
    }
    return { service, newcomer };
  }

  function serviceOf(name: string): OwnWords {
    const service = services.get(name);
    assert.ok(service, name);
    return service;
  }

  /** Applies a change to both tasks of a dataset, which is asked first. */
  async function applied(name: string): Promise<void> {
    await open().workbench.dialog.waitFor(`This changes 2 tasks of dataset '${name}'.`);
    await open().workbench.dialog.click('Apply');
  }

  async function accepted(name: string): Promise<void> {
    await open().workbench.notifications.waitFor(`'${name}' accepted '${name}.txt' as task`);
  }

  async function row(name: string, description: RegExp): Promise<void> {
    await open()
      .workbench.view('Tasks')
      .waitForRow(`${name}.txt`, (seen) => description.test(seen.description));
  }

  async function succeeds(name: string): Promise<void> {
    await open().workbench.openContainer('Dataset Import');
    await row(name, /^succeeded/);
  }

  /** The id in the last answer to an import, in the very digits. */
  function idOf(name: string, place: RegExp): string {
    const [, id] = place.exec(serviceOf(name).lastImportAnswer) ?? [];
    assert.ok(id, serviceOf(name).lastImportAnswer);
    return id;
  }

  async function idIsRight(name: string, place: RegExp, query: (id: string) => string): Promise<void> {
    const id = idOf(name, place);
    assert.equal(serviceOf(name).queries.at(-1), query(id));
    await copied(name, id);
  }

  async function copied(name: string, id: string): Promise<void> {
    await open().workbench.view('Tasks').chooseFor('Copy Task ID', `${name}.txt`);
    await waitUntil('the id on the clipboard', async () => (await open().workbench.clipboard()) === id || undefined);
  }
});
