import type { Shape } from './shape';

/** Services with request requirements, IDs or statuses that the extension can't guess. */
export const nastyRequests: readonly Shape[] = [
  {
    what: 'an ID that is returned as text but required as a number',
    importData: '{"taskId":"9007199254740993121"}',
    query: '{"taskId":9007199254740993121}',
    unknown: 'taskId must be a number',
    reports: [
      ['{"taskId":9007199254740993121,"status":"running"}', 'running'],
      ['{"taskId":9007199254740993121,"status":"success"}', 'succeeded'],
    ],
    steps: [0, ['Edit Request…', { types: '{"taskId":"${taskId:number}"}' }], 1],
  },
  {
    what: 'a JSON form field that must contain the file name, even if the name contains quotes',
    file: 'minutes "draft".txt',
    missing: ({ form, fileName }) => {
      if (form['meta'] === undefined) return 'form field "meta" is required';
      const { name, tags } = JSON.parse(form['meta']) as { name: string; tags: string[] };
      return name === fileName && tags[0] === 'x' ? undefined : 'meta is invalid';
    },
    reports: [['{"status":"success"}', 'succeeded']],
    steps: [['Edit Request…', { types: '{"name":"${fileName}","tags":["x"]}' }], 'Import Again', 0],
  },
  {
    what: 'a list of tasks in a JSON string',
    importData: JSON.stringify('[{"ticket":"K-10"}]'),
    query: '{"taskId":"K-10"}',
    reports: [
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
];
