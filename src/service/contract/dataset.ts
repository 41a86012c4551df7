import * as v from 'valibot';
import { type BaseUrlFault, checkBaseUrl } from './baseUrl';
import type { Contract } from './contract';
import { readContract } from './contractOverrides';
import { isObject, type PlacedFault, placedFault, section, text } from './settingSchema';

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

/**
 * Why an entry of the setting, or for a contract a part of it, cannot be used. `dataset` is its name, or its place in
 * the list where it has none, or empty for the list itself.
 */
export interface DatasetFault {
  readonly dataset: string;
  readonly fault:
    | ({ readonly kind: 'shape' | 'contract' } & PlacedFault)
    | { readonly kind: 'baseUrl'; readonly fault: BaseUrlFault }
    | { readonly kind: 'sameName' | 'reservedName' };
}

const datasetSetting = section({
  name: v.pipe(text, v.trim(), v.nonEmpty('empty')),
  baseUrl: text,
  allowHttp: v.exactOptional(v.boolean('notBoolean')),
  // Read by itself, as a fault in it leaves the dataset usable.
  contract: v.exactOptional(v.unknown()),
});

/**
 * Reads the setting `datasetImport.datasets`, whatever it holds: the datasets that can be used, and what is wrong
 * with the others.
 */
export function readDatasets(setting: unknown): { datasets: Dataset[]; faults: DatasetFault[] } {
  const datasets = new Map<string, Dataset>();
  const faults: DatasetFault[] = [];
  if (setting !== undefined && !Array.isArray(setting)) {
    faults.push({ dataset: '', fault: { kind: 'shape', at: '', what: 'notList' } });
  }
  for (const [index, entry] of (Array.isArray(setting) ? setting : []).entries()) {
    const read = readDataset(entry, `#${index + 1}`);
    if ('fault' in read) {
      faults.push(read);
    } else if (datasets.has(read.dataset.name)) {
      faults.push({ dataset: read.dataset.name, fault: { kind: 'sameName' } });
    } else {
      datasets.set(read.dataset.name, read.dataset);
      faults.push(...read.faults);
    }
  }
  return { datasets: [...datasets.values()], faults };
}

type ReadDataset = { readonly dataset: Dataset; readonly faults: readonly DatasetFault[] };

function readDataset(entry: unknown, place: string): ReadDataset | DatasetFault {
  const read = v.safeParse(datasetSetting, entry);
  if (!read.success) {
    return { dataset: nameOf(entry) ?? place, fault: { kind: 'shape', ...placedFault(read.issues[0]) } };
  }
  const { name, baseUrl, allowHttp, contract: overrides } = read.output;
  if (name === SANDBOX_NAME) return { dataset: name, fault: { kind: 'reservedName' } };
  const checked = checkBaseUrl(baseUrl, allowHttp);
  if ('fault' in checked) return { dataset: name, fault: { kind: 'baseUrl', fault: checked.fault } };
  const { contract, faults } = readContract(overrides);
  return {
    dataset: { name, baseUrl: checked.url, contract },
    faults: faults.map((fault) => {
      const at = fault.at === '' ? 'contract' : `contract.${fault.at}`;
      return { dataset: name, fault: { kind: 'contract', ...fault, at } };
    }),
  };
}

function nameOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry['name'] === 'string' ? entry['name'].trim() || undefined : undefined;
}
