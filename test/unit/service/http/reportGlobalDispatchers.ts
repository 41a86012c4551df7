import { DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { Http } from '../../../../src/service/http/http';
import { ImportService } from '../../../../src/service/importService';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { SETTINGS } from '../wire';

// This is a separate program, because undici fills its `globalThis` slots only once per process.
const slots = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'].map((name) => Symbol.for(name));
const state = () => slots.map((slot) => Object.getOwnPropertyDescriptor(globalThis, slot));
const isLoaded = () => Object.keys(require.cache).some((file) => /node_modules.undici/.test(file));

async function report(preset: boolean, url: URL): Promise<void> {
  for (const slot of preset ? slots : []) {
    Object.defineProperty(globalThis, slot, { value: { dispatch: () => true }, writable: true, configurable: false });
  }
  const before = state();
  const service = new ImportService(new Http(() => SETTINGS));
  const loadedBefore = isLoaded();
  const dataset = { baseUrl: url, contract: DEFAULT_CONTRACT, accessKey: 'key' };
  const watch = { signal: new AbortController().signal };
  const outcome = await service.queryTask(dataset, typedTaskId('T1', 'string'), watch);
  const after = state();
  const slotsUnchanged = before.every((slot, index) => slot?.value === after[index]?.value);
  const loadedAfter = isLoaded();
  process.stdout.write(JSON.stringify({ loadedBefore, outcome: outcome.kind, loadedAfter, slotsUnchanged }));
}

const [slotsAre, url] = process.argv.slice(2);
void report(slotsAre === 'preset', new URL(url ?? ''));
