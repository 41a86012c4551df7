import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { activated, type Engine } from '../../host/activated';
import { fileOf, requestOf } from '../../unit/tasks/store/storeRequests';
import { datasetName, type Order } from '../summary';
import { report } from './report';

/** The extension host calls this as its test runner. Carries out orders until the host is killed. */
export async function run(): Promise<void> {
  const engine = await activated();
  const dataset = engine.datasets.find(datasetName);
  if (dataset === undefined) throw new Error('The dataset is not in the settings.');
  await engine.keys.set(dataset, 'kill-key-0123456789');
  for (;;) {
    const order = (await report('waiting')) as Order;
    await importAll(engine, order.folder);
    await report('queued');
    await untilEnded(engine, order.tasks);
    await report('ended');
  }
}

async function importAll({ serving, datasets }: Engine, folder: string): Promise<void> {
  const origin = datasets.find(datasetName)?.baseUrl.origin ?? '';
  const files = readdirSync(folder).map((name) =>
    fileOf(name, { path: join(folder, name), relativePath: name, modifiedMs: null }),
  );
  const batch = { label: basename(folder), folder };
  const destination = { dataset: datasetName, origin };
  await serving.queue(requestOf(`${folder} ${process.pid}`, files, { destination, batch }));
}

/** Resolves once at least `count` imports exist and all have ended. Checks after each `turn` event. */
function untilEnded({ store, events }: Engine, count: number): Promise<void> {
  return new Promise((resolve) => {
    const check = async () => {
      const { states } = await store.counts(null);
      const total = Object.values(states).reduce((sum, one) => sum + one, 0);
      if (total < count || states.queued || states.sending) return;
      events.off('turn', check);
      resolve();
    };
    events.on('turn', check);
  });
}
