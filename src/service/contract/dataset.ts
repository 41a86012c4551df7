import * as v from 'valibot';
import { type BaseUrlFault, checkBaseUrl } from './baseUrl';
import type { Contract } from './contract';
import { isObject, overridesSchema, readBy, withOverrides } from './contractOverrides';

/** A dataset on the service. It issues the access key and receives the imports (INTERFACE.md 1 and 5). */
export interface Dataset {
  readonly name: string;
  readonly baseUrl: URL;
  readonly contract: Contract;
}

/** The reserved name of the sandbox's dataset. */
export const SANDBOX_NAME = 'Sandbox';

/** A dataset in the settings. Its access key is never stored there. */
export interface DatasetSetting extends Readonly<Omit<v.InferInput<typeof datasetSetting>, 'contract'>> {
  readonly contract?: unknown;
}

/** Why an entry in `datasetImport.datasets` can't be used. */
export interface DatasetFault {
  /** The entry's name, or its number in the list if it has no name. Empty if the setting isn't a list. */
  readonly dataset: string;
  /** The first invalid part, such as `contract.queryTask.status`. */
  readonly at: string;
  readonly reason: 'invalid' | 'sameName' | BaseUrlFault;
}

const datasetSetting = v.strictObject({
  name: v.pipe(v.string(), v.trim(), v.nonEmpty(), v.notValue(SANDBOX_NAME)),
  baseUrl: v.string(),
  /** Allows plain http to other machines. */
  allowHttp: v.exactOptional(v.boolean()),
  contract: v.exactOptional(overridesSchema),
});

/** Reads the setting `datasetImport.datasets`. Returns the usable datasets, and what is wrong with the other entries. */
export function readDatasets(setting: unknown = []): { datasets: Dataset[]; faults: DatasetFault[] } {
  if (!Array.isArray(setting)) return { datasets: [], faults: [{ dataset: '', at: '', reason: 'invalid' }] };
  const datasets = new Map<string, Dataset>();
  const faults: DatasetFault[] = [];
  for (const [index, entry] of setting.entries()) {
    const read = readDataset(entry, datasets);
    if ('name' in read) datasets.set(read.name, read);
    else faults.push({ dataset: nameOf(entry) ?? `#${index + 1}`, ...read });
  }
  return { datasets: [...datasets.values()], faults };
}

function readDataset(entry: unknown, others: ReadonlyMap<string, Dataset>): Dataset | Omit<DatasetFault, 'dataset'> {
  const read = readBy(datasetSetting, entry);
  if ('faults' in read) return { at: read.faults[0] ?? '', reason: 'invalid' };
  const { name, baseUrl, allowHttp, contract } = read.output;
  if (others.has(name)) return { at: 'name', reason: 'sameName' };
  const checked = checkBaseUrl(baseUrl, allowHttp);
  if ('fault' in checked) return { at: 'baseUrl', reason: checked.fault };
  return { name, baseUrl: checked.url, contract: withOverrides(contract) };
}

/** The name of an entry in the setting, which may be invalid. Undefined if it has none. */
export function nameOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry['name'] === 'string' ? entry['name'].trim() || undefined : undefined;
}
