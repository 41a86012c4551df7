// A headless window that uploads to one dataset using real worker threads. Carries out orders sent by its parent
// process.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Files } from '../../src/tasks/sending/files';
import { Gate } from '../../src/tasks/sending/gate';
import { Serving } from '../../src/tasks/sending/serving';
import { type ImportStore, openImportStore } from '../../src/tasks/store/importStore';
import { systemClock } from '../../src/tasks/timing/clock';
import { thisWindow } from '../../src/tasks/windowWatch';
import { target, wire } from '../unit/service/wire';
import { fileOf, requestOf } from '../unit/tasks/store/storeRequests';

export type SenderOrder =
  | { readonly kind: 'import'; readonly run: string; readonly folder: string; readonly names: readonly string[] }
  /** Makes the process kill itself just before or after a given call to a store operation. */
  | {
      readonly kind: 'dieAt';
      readonly operation: 'begin' | 'end';
      readonly call: number;
      readonly when: 'before' | 'after';
    }
  | { readonly kind: 'close' };

const [storePath = '', baseUrl = ''] = process.argv.slice(2);
const url = new URL(baseUrl);
const destination = { dataset: 'Manuals', origin: url.origin };
const source = path.join(__dirname, '../../src/tasks');
const window = thisWindow();
const opened = openImportStore(
  { path: storePath, window },
  { program: path.join(source, 'store/importStoreProgram.js'), onSetAside: () => {} },
);
let death: (SenderOrder & { readonly kind: 'dieAt' }) | undefined;
let calls = 0;
const store: ImportStore = new Proxy(opened, {
  get: (target, name) => {
    if (name !== death?.operation) return target[name as keyof ImportStore];
    const { when, call } = death;
    const dies = ++calls === call;
    return async (argument: never) => {
      if (dies && when === 'before') process.kill(process.pid, 'SIGKILL');
      const result = await target[name](argument);
      if (dies) process.kill(process.pid, 'SIGKILL');
      return result;
    };
  },
});
const files = new Files(path.join(source, 'sending/fileProgram.js'));
const gate = new Gate(systemClock, () => 8);
const serving = new Serving({
  service: wire(),
  files,
  store,
  window,
  clock: systemClock,
  textsFolder: path.join(path.dirname(storePath), 'texts'),
  findTarget: async () => target(url),
  gateOf: () => gate,
  exists: () => existsSync(storePath),
  canServe: ({ origin }) => origin === url.origin,
  checking: () => [],
  onError: (error) => process.send?.({ kind: 'error', message: String(error) }),
});

async function execute(order: SenderOrder): Promise<void> {
  switch (order.kind) {
    case 'import': {
      const { run, folder, names } = order;
      const list = names.map((name) =>
        fileOf(name, { path: path.join(folder, name), relativePath: name, modifiedMs: null }),
      );
      const batch = { label: path.basename(folder), folder };
      await serving.queue(requestOf(run, list, { destination, batch }));
      break;
    }
    case 'dieAt':
      death = order;
      break;
    case 'close':
      await serving.stop();
      await store.close();
      files.end();
      break;
  }
  process.send?.({ kind: 'done' });
  if (order.kind === 'close') process.disconnect();
}

process.on('message', (order: SenderOrder) => {
  execute(order).catch((error: unknown) => process.send?.({ kind: 'error', message: String(error) }));
});
serving.start();
process.send?.({ kind: 'ready' });
