import type { Shape } from './shape';

/** Services whose requirements or IDs would mislead a guess. */
export const nastyRequests: readonly Shape[] = [
  {
    what: 'an ID that is returned as text but required as a number',
    begins: (task) => `{"taskId":"900719925474099312${task}"}`,
    query: (task) => `{"taskId":900719925474099312${task}}`,
    unknown: () => 'taskId must be a number',
    tells: [
      ['{"taskId":9007199254740993121,"status":"running"}', 'running'],
      ['{"taskId":9007199254740993121,"status":"success"}', 'succeeded'],
    ],
    steps: [0, ['Edit Request…', { types: '{"taskId":"${taskId:number}"}' }], 1],
  },
  {
    what: 'a file name with quotes in a field that is JSON',
    file: (number) => `minutes "draft" ${number}.txt`,
    lacks: ({ form, fileName }) => {
      if (form['meta'] === undefined) return 'form field "meta" is required';
      const { name, tags } = JSON.parse(form['meta']) as { name: string; tags: string[] };
      return name === fileName && tags[0] === 'x' ? undefined : 'meta is invalid';
    },
    tells: [['{"status":"success"}', 'succeeded']],
    steps: [['Edit Request…', { types: '{"name":"${fileName}","tags":["x"]}' }], 'Import Again', 0],
  },
  {
    what: 'statuses that differ only in case',
    tells: [
      ['{"status":"fin"}', 'running'],
      ['{"status":"Fin"}', 'failed'],
      ['{"status":"FIN"}', 'succeeded'],
    ],
    files: 2,
    steps: [0, ['Map Statuses…', 'fin → Running'], [2, 1], ['Map Statuses…', 'FIN → Succeeded', 'Fin → Failed']],
  },
  {
    what: 'data that is JSON in a string, with a list of tasks',
    begins: (task) => JSON.stringify(`[{"ticket":"K-${task}0"}]`),
    query: (task) => `{"taskId":"K-${task}0"}`,
    tells: [
      [JSON.stringify('[{"ticket":"K-99","flag":"F"},{"ticket":"K-10","flag":"R"}]'), 'running'],
      [JSON.stringify('[{"ticket":"K-10","flag":"S"},{"ticket":"K-99","flag":"F"}]'), 'succeeded'],
    ],
    maxPicks: 4,
    steps: [
      ['Map Responses…', 'K-10'],
      0,
      ['Map Responses…', 'R'],
      ['Map Statuses…', 'R → Running'],
      1,
      ['Map Statuses…', 'S → Succeeded'],
    ],
  },
  {
    what: 'a rejection that names two missing parts',
    lacks: ({ form }) =>
      form['datasetCode'] === 'A1' && form['title'] === 'shape 1'
        ? undefined
        : "form part 'title' is required; form part 'datasetCode' is required",
    tells: [['{"status":"success"}', 'succeeded']],
    steps: [
      ['Edit Request…', { types: '${taskName}' }],
      'Import Again',
      ['Edit Request…', { types: 'A1' }],
      'Import Again',
      0,
    ],
  },
  {
    what: 'an ID that is sometimes a number and sometimes text, among others with the same digits',
    begins: (task) => `{"id":70${task}}`,
    query: (task) => `{"taskId":70${task}}`,
    tells: [
      ['{"tasks":[{"id":"7011","status":"FAILED"},{"id":"701","status":"RUNNING"}]}', 'running'],
      ['{"tasks":[{"id":"701","status":"SUCCESS"},{"id":"7011","status":"FAILED"}]}', 'succeeded'],
    ],
    steps: [0, 1],
  },
  {
    what: 'a report that names its task by another ID of the import',
    begins: (task) => `{"taskId":"t-${task}","jobId":"J-${task}"}`,
    tells: [
      ['{"jobId":"J-1","status":"running"}', 'running'],
      ['{"jobId":"J-1","status":"success"}', 'succeeded'],
    ],
    steps: [0, 1],
  },
  {
    what: 'a report that names its task by an ID that the import did not return',
    tells: [
      ['{"jobId":"J-77","status":"running"}', 'running'],
      ['{"jobId":"J-77","status":"success"}', 'succeeded'],
    ],
    steps: [0, 1],
  },
];
