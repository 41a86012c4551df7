import { readDatasets } from '../../service/contract/dataset';

/** Whether the datasets in the settings have faults. It has a file of its own so that windows without datasets load no schema. */
export function hasDatasetFaults(setting: unknown): boolean {
  return readDatasets(setting).faults.length > 0;
}
