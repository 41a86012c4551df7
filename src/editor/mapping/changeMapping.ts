import type { Contract, KnownMeaning } from '../../service/contract/contract';
import { withOverride } from '../../service/contract/contractOverrides';
import type { Dataset } from '../../service/contract/dataset';
import { isObject } from '../../service/contract/settingSchema';
import type { ResponseField } from '../../service/response/fields';
import { readBegunTask } from '../../service/response/taskReport';
import type { Services } from '../services';
import { destinationOf, responseData } from './responses';

/** The keys of each field's pointer in a contract. */
const POINTER_KEYS = {
  taskId: ['fileTask', 'taskId'],
  status: ['queryTask', 'status'],
  progress: ['queryTask', 'progress'],
  message: ['queryTask', 'message'],
} as const satisfies Record<ResponseField, readonly [string, string]>;

/** Following notices a changed mapping by itself, in every window, and has tasks checked again. */
type Changing = Pick<Services, 'datasets' | 'store' | 'tasks'>;

/** The picked place of a field; undefined if the field is recognized automatically. */
export function pointerOf({ fileTask, queryTask }: Contract, field: ResponseField): string | undefined {
  return field === 'taskId' ? fileTask.taskId : queryTask[field];
}

/** Sets the place of a field; undefined resets it. */
export async function setPointer(
  services: Changing,
  dataset: Dataset,
  field: ResponseField,
  pointer: string | undefined,
): Promise<void> {
  const changed = await services.datasets.override(dataset, POINTER_KEYS[field], pointer);
  if (field === 'taskId') await attachIds(services, changed);
}

/** Sets what these statuses mean; undefined resets one. All others stay as they are. */
export async function setMeanings(
  services: Changing,
  dataset: Dataset,
  changed: ReadonlyMap<string, KnownMeaning | undefined>,
): Promise<void> {
  const path = ['queryTask', 'statusMeanings'];
  const overrides = [...changed].reduce<unknown>(
    (all, [status, meaning]) => withOverride(all, [...path, status], meaning),
    services.datasets.overrides(dataset),
  );
  const meanings = path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), overrides);
  await services.datasets.override(dataset, path, meanings);
}

/** Sets the state expression; without one, the status decides. */
export async function setState(services: Changing, dataset: Dataset, expression: string | undefined): Promise<void> {
  await services.datasets.override(dataset, ['queryTask', 'state'], expression);
}

/** Reads the ids of imports that wait for one from their stored responses. */
async function attachIds(services: Changing, dataset: Dataset): Promise<void> {
  const { store, tasks } = services;
  const destination = await destinationOf(services, dataset);
  if (destination === undefined) return;
  for (let after = 0; ; ) {
    const responses = await store.responses({ destination: destination.id, kind: 'import', after });
    const last = responses.at(-1);
    if (last === undefined) break;
    after = last.import;
    const rows = responses.flatMap(({ import: id, text }) => {
      const data = responseData(text);
      const begun = data === undefined ? undefined : readBegunTask(data, dataset.contract.fileTask);
      const ids = begun?.ids ?? (begun?.taskId === undefined ? [] : [begun.taskId]);
      return ids.length === 0 ? [] : [{ import: id, ids }];
    });
    await store.attach({ rows, byMapping: true });
  }
  await tasks.serving.turn();
}
