/** The view of tracked tasks, as package.json names it. */
export const TASKS_VIEW = 'datasetImport.tasks';

/** The view of datasets, as package.json names it. */
export const DATASETS_VIEW = 'datasetImport.datasets';
