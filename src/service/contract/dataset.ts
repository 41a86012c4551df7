import * as v from 'valibot';
import { type BaseUrlFault, checkBaseUrl } from './baseUrl';
import type { Contract } from './contract';
import { overridesSchema, withOverrides } from './contractOverrides';
import { isObject, type PlacedFault, readBy, section, text } from './settingSchema';

/** A dataset of the service: where access keys come from and imports go (INTERFACE.md 1 and 5). */
export interface Dataset {
  readonly name: string;
  readonly baseUrl: URL;
  readonly contract: Contract;
}

/** The name of the sandbox's dataset, which no dataset of the settings may have. */
export const SANDBOX_NAME = 'Sandbox';

/** A dataset as it stands in the settings. Its access key is in no setting. */
export interface DatasetSetting {
  readonly name: string;
  readonly baseUrl: string;
  /** Lets this dataset be reached over plain http on another machine. */
  readonly allowHttp?: boolean;
  readonly contract?: unknown;
}

/** Why an entry of the setting can't be used. `dataset` is its name, or its place in the list, or empty for the list itself. */
export interface DatasetFault {
  readonly dataset: string;
  readonly fault:
    | ({ readonly kind: 'value' } & PlacedFault)
    | { readonly kind: 'baseUrl'; readonly fault: BaseUrlFault }
    | { readonly kind: 'sameName' | 'reservedName' };
}

const datasetSetting = section({
  name: v.pipe(text, v.trim(), v.nonEmpty('empty')),
  baseUrl: text,
  allowHttp: v.exactOptional(v.boolean('notBoolean')),
  contract: v.exactOptional(overridesSchema),
});

/** Reads the setting `datasetImport.datasets`, whatever it holds: the datasets that can be used, and the faults of the others. */
export function readDatasets(setting: unknown): { datasets: Dataset[]; faults: DatasetFault[] } {
  const datasets = new Map<string, Dataset>();
  const isList = setting === undefined || Array.isArray(setting);
  const faults: DatasetFault[] = isList ? [] : [{ dataset: '', fault: { kind: 'value', at: '', what: 'notList' } }];
  for (const [index, entry] of (Array.isArray(setting) ? setting : []).entries()) {
    const read = readDataset(entry, datasets);
    if ('name' in read) datasets.set(read.name, read);
    else faults.push(...read.map((fault) => ({ dataset: nameOf(entry) ?? `#${index + 1}`, fault })));
  }
  return { datasets: [...datasets.values()], faults };
}

function readDataset(entry: unknown, others: ReadonlyMap<string, Dataset>): Dataset | DatasetFault['fault'][] {
  const read = readBy(datasetSetting, entry);
  if ('faults' in read) return read.faults.map((fault) => ({ kind: 'value', ...fault }));
  const { name, baseUrl, allowHttp, contract } = read.output;
  if (name === SANDBOX_NAME) return [{ kind: 'reservedName' }];
  if (others.has(name)) return [{ kind: 'sameName' }];
  const checked = checkBaseUrl(baseUrl, allowHttp);
  if ('fault' in checked) return [{ kind: 'baseUrl', fault: checked.fault }];
  return { name, baseUrl: checked.url, contract: withOverrides(contract) };
}

function nameOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry['name'] === 'string' ? entry['name'].trim() || undefined : undefined;
}
