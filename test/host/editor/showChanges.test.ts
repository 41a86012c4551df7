import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Disposable } from 'vscode';
import type { Services } from '../../../src/editor/services';
import { showChanges } from '../../../src/editor/showChanges';
import { activated } from '../activated';
import { MemoryMemento } from '../memoryStorage';
import { ownDatasets } from '../ownDatasets';
import { OwnImportStore } from '../ownImportStore';
import { until } from '../until';

describe('Changes to the task store', () => {
  const datasets = ownDatasets([{ name: 'Manuals', baseUrl: 'https://import.example' }]);
  const view: { badge?: { value: number } } = {};
  const events = new EventEmitter();
  const serving = { events: new EventEmitter(), pauseOf: () => null, isServing: () => true, destinations: [{}] };
  /** How far the clock is ahead. */
  let aheadMs: number;
  let questions: string[];
  let own: OwnImportStore;
  let warnings: string[];
  let errors: string[];
  /** What was passed to `details.refresh`. */
  let refreshed: unknown[];
  let faults: number;
  let showing: Disposable;

  beforeEach(async () => {
    own = new OwnImportStore();
    [warnings, errors, questions, refreshed, faults, aheadMs] = [[], [], [], [], 0, 0];
    const counts: Services['store']['counts'] = async (none) => {
      if (faults-- > 0) throw new Error('locked');
      return own.store.counts(none);
    };
    const store = Object.assign(Object.create(own.store), { counts });
    const messages = {
      warn: async (text: string) => void warnings.push(text),
      note: (text: string) => void errors.push(text),
      done: async (text: string) => void questions.push(text),
    };
    const clock = { now: () => Date.now() + aheadMs, monotonicMs: () => aheadMs };
    const details = { shown: [], refresh: (files?: unknown) => refreshed.push(files) };
    const parts = { store, messages, events, view, details, serving, clock, memory: new MemoryMemento() };
    showing = showChanges({ ...(await activated()), ...datasets, ...parts } as unknown as Services);
  });

  afterEach(async () => {
    showing.dispose();
    await own[Symbol.asyncDispose]();
  });

  after(() => datasets.dispose());

  async function turn(held: readonly number[] = []): Promise<void> {
    serving.destinations = await own.store.destinations(null);
    events.emit('turn', { destinations: serving.destinations, held });
  }

  it('are shown even if the store could not be read at first', async () => {
    await own.inState('rejected');
    faults = 1;
    await until('the badge', async () => {
      await turn();
      return view.badge?.value === 1;
    });
    assert.deepEqual(errors, ['showing changes: Error: locked']);
  });

  it('update open details if only a pause has changed', async () => {
    await own.queue(['a.txt']);
    const untilRefreshed = () =>
      until('the details', async () => {
        await turn();
        return refreshed.splice(0).includes(undefined);
      });
    await untilRefreshed();
    assert.ok(await own.store.pause({ destination: 1, pause: { reason: 'busy', untilMs: null } }));
    await untilRefreshed();
  });

  it('do not include the pause of the window that uploaded before this one', async () => {
    await own.queue(['a.txt']);
    await own.store.pause({ destination: 1, pause: { reason: 'badKey', untilMs: null } });
    await until('the details', async () => {
      await turn([1]);
      return refreshed.splice(0).includes(undefined);
    });
    assert.deepEqual(warnings, []);
  });

  it('include a question about a status only once the task has had it for a few seconds, no matter how many others a removed dataset has', async () => {
    const report = async (status: string, dataset = 'Removed') => {
      const [id = 0] = await own.queue([`${status}.txt`], {
        destination: { dataset, origin: 'https://import.example' },
      });
      const [task = assert.fail()] = await own.accept(id, `task ${status}`);
      await own.report(id, task, { meaning: 'unknown', status });
    };
    // The store's reasons don't include digits.
    for (let other = 0; other < 60; other++) await report(`A${String.fromCodePoint(0x4e00 + other)}`);
    await report('BURNT', 'Manuals');
    let turns = 0;
    await until('ten turns', async () => {
      await turn();
      return ++turns === 10;
    });
    assert.deepEqual(questions, []);
    aheadMs = 6000;
    await until('the question', async () => {
      await turn();
      return questions.length > 0;
    });
    assert.deepEqual(questions, ["Manuals reports status 'BURNT' for 'BURNT.txt'. What does it mean?"]);
  });

  it('include a message if uploads are paused because the access key is missing or the dataset has moved', async () => {
    const manuals = datasets.datasets.find('Manuals') ?? assert.fail();
    await datasets.keys.get(manuals);
    await own.queue(['a.txt']);
    await own.queue(['b.txt'], { destination: { dataset: 'Manuals', origin: 'https://old.example' } });
    await own.store.leave(null);
    // This window still holds the lease of the destination that has moved.
    await until('a message', async () => {
      await turn([2]);
      return warnings.length > 0;
    });
    // Another dataset's key doesn't change anything.
    await datasets.keys.set({ name: 'Other', baseUrl: new URL('https://other.example') }, 'key');
    let turns = 0;
    await until('ten turns', async () => {
      await datasets.keys.get(manuals);
      await turn([2]);
      return ++turns === 10;
    });
    const reasons = warnings.map((text) => text.replace('Uploads to Manuals are paused: ', ''));
    assert.deepEqual(reasons, ['no access key', 'moved to import.example']);
  });
});
