import type { Contract, KnownMeaning } from '../../service/contract/contract';
import type { Dataset } from '../../service/contract/dataset';
import { readTaskIds } from '../../service/response/taskIds';
import type { FieldName } from '../../service/response/usualNames';
import type { Services } from '../services';
import { destinationOf, responseData } from './responses';

type MappingServices = Pick<Services, 'datasets' | 'store' | 'tasks'>;

// After a mapping changes, `Following` rechecks the tasks in every window. Nothing here has to trigger that.

/** The pointer that the user picked for a field; undefined if the field is recognized automatically. */
export function pointerOf({ fileTask, queryTask }: Contract, field: FieldName): string | undefined {
  return field === 'taskId' ? fileTask.taskId : queryTask[field];
}

/** Sets the pointer of a field; undefined resets it. */
export async function setPointer(
  services: MappingServices,
  dataset: Dataset,
  field: FieldName,
  pointer: string | undefined,
): Promise<void> {
  const path = field === 'taskId' ? ['fileTask', field] : ['queryTask', field];
  const changed = await services.datasets.override(dataset, path, pointer);
  if (field === 'taskId') await attachIds(services, changed);
}

/** Sets what these statuses mean. An undefined meaning resets its status. Other statuses stay unchanged. */
export async function setMeanings(
  { datasets }: Pick<Services, 'datasets'>,
  dataset: Dataset,
  chosen: ReadonlyMap<string, KnownMeaning | undefined>,
): Promise<void> {
  const before = datasets.find(dataset.name)?.contract.queryTask.statusMeanings;
  const meanings = Object.entries({ ...before, ...Object.fromEntries(chosen) }).filter(([, meaning]) => meaning);
  const value = meanings.length === 0 ? undefined : Object.fromEntries(meanings);
  await datasets.override(dataset, ['queryTask', 'statusMeanings'], value);
}

/** Sets the state expression; undefined lets the status decide. */
export async function setState(
  { datasets }: Pick<Services, 'datasets'>,
  dataset: Dataset,
  expression: string | undefined,
): Promise<void> {
  await datasets.override(dataset, ['queryTask', 'state'], expression);
}

/** Rereads the stored responses of imports that lack a task ID. */
async function attachIds(services: MappingServices, dataset: Dataset): Promise<void> {
  const { store, tasks } = services;
  const destination = await destinationOf(services, dataset);
  if (destination === undefined) return;
  for (let after = 0; ; ) {
    const responses = await store.responses({ destination: destination.id, kind: 'import', after });
    const last = responses.at(-1);
    if (last === undefined) break;
    after = last.import;
    const rows = responses.flatMap(({ import: id, text }) => {
      const { ids } = readTaskIds(responseData(text) ?? null, dataset.contract.fileTask);
      return ids.length === 0 ? [] : [{ import: id, ids }];
    });
    await store.attach({ rows, byMapping: true });
  }
  await tasks.serving.turn();
}
