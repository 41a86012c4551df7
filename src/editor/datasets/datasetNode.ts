import type { Dataset } from '../../service/contract/dataset';

/** The row of a dataset. */
export interface DatasetNode {
  readonly dataset: Dataset;
}

export function isDatasetNode(value: unknown): value is DatasetNode {
  const dataset: unknown = (value as Partial<DatasetNode> | null | undefined)?.dataset;
  return typeof (dataset as Partial<Dataset> | null | undefined)?.name === 'string';
}
