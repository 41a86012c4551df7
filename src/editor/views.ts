/** The views that package.json contributes. */
export const TASKS_VIEW = 'datasetImport.tasks';
export const DATASETS_VIEW = 'datasetImport.datasets';

export const URI_LIST = 'text/uri-list';
/** MIME types that the views accept as drops: files with paths, or their contents in a browser. */
export const DROP_TYPES = [URI_LIST, 'files'];
