/** The views that package.json contributes. */
export const TASKS_VIEW = 'datasetImport.tasks';
export const DATASETS_VIEW = 'datasetImport.datasets';

export const URI_LIST = 'text/uri-list';
/** What can be dropped on the views: files with paths, or, in a browser, their contents. */
export const DROP_TYPES = [URI_LIST, 'files'];
