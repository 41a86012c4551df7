import type { Shape } from './shape';

/** Common services, each with one or two quirks. */
export const usualShapes: readonly Shape[] = [
  {
    what: 'unusual names for the ID and the status',
    importData: '{"jobNo":"J-1"}',
    query: '{"jobNo":"J-1"}',
    unknown: 'Missing required parameter: jobNo',
    reports: [
      ['{"lastCheck":"RUNNING","lamp":"green"}', 'running'],
      ['{"lastCheck":"DONE","lamp":"green"}', 'succeeded'],
    ],
    steps: [0, ['Edit Request…', { types: '{"jobNo":"${taskId}"}' }], 0, ['Map Responses…', 'RUNNING'], 1],
  },
  {
    what: 'a nested 19-digit ID, a nested query body and numeric statuses',
    importData: '{"result":{"no":3385447386504440881}}',
    query: '{"query":{"no":3385447386504440881}}',
    unknown: 'bad request',
    reports: [
      ['{"result":{"status":1}}', 'running'],
      ['{"result":{"status":3}}', 'succeeded'],
    ],
    steps: [
      ['Map Responses…', '3385447386504440881'],
      0,
      ['Edit Request…', { types: '{"query":{"no":"${taskId}"}}' }],
      0,
      ['Map Statuses…', '1 → Running'],
      1,
      ['Map Statuses…', '3 → Succeeded'],
    ],
  },
  {
    what: 'a list of IDs in the query body',
    importData: '{"importId":"imp_1a"}',
    query: '{"importIds":["imp_1a"]}',
    unknown: '参数“importIds”不能为空',
    reports: [
      ['[{"importId":"imp_1a","stage":"待处理"}]', 'running'],
      ['[{"importId":"imp_1a","stage":"已完成"}]', 'succeeded'],
    ],
    steps: [0, ['Edit Request…', { types: /^\{"importIds":\["\$\{taskId\}"\]\}$/ }], 1],
  },
  {
    what: 'two required form fields that are named only in Chinese error messages',
    file: '手册.txt',
    missing: ({ form, fileName }) => {
      if (form['fileName'] !== fileName) return '缺少参数“fileName”';
      return form['fileType'] === 'txt' ? undefined : '缺少参数“fileType”';
    },
    importData: '{"taskId":901}',
    query: '{"taskId":901}',
    reports: [
      ['{"taskStatus":"处理中"}', 'running'],
      ['{"taskStatus":"成功"}', 'succeeded'],
    ],
    steps: [
      ['Edit Request…', { types: /^\$\{fileName\}$/ }],
      'Import Again',
      ['Edit Request…', { types: '${extension}' }],
      'Import Again',
      0,
      1,
    ],
  },
  {
    what: 'an unusual name for the file part and an ID that is a bare string',
    missing: ({ form }) =>
      form['document'] === undefined ? "Required request part 'document' is not present" : undefined,
    importData: '"JOB-1-9F3B"',
    query: '{"id":"JOB-1-9F3B"}',
    unknown: 'id is required',
    reports: [
      ['{"import":{"state":"parsing"}}', 'running'],
      ['{"import":{"state":"done"}}', 'succeeded'],
    ],
    steps: [
      ['Edit Request…', { types: /^document$/ }],
      'Import Again',
      ['Map Responses…', 'JOB-1-9F3B'],
      0,
      ['Edit Request…', { types: '{"id":"${taskId}"}' }],
      1,
    ],
  },
];
