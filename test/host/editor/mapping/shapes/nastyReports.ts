import type { Shape } from './shape';

/** Services whose reports the extension would misinterpret if it guessed. */
export const nastyReports: readonly Shape[] = [
  {
    what: 'reports that list multiple tasks in varying order regardless of the requested task',
    reports: [
      ['{"rows":[{"taskId":"t-9","st":"FAILED"},{"taskId":"t-1","st":"W"}],"total":2}', 'running'],
      ['{"rows":[{"taskId":"t-1","st":"E"},{"taskId":"t-7","st":"W"},{"taskId":"t-9","st":"FAILED"}]}', 'succeeded'],
    ],
    steps: [0, ['Map Responses…', 'W'], ['Map Statuses…', 'W → Running'], 1, ['Map Statuses…', 'E → Succeeded']],
  },
  {
    what: 'tasks that move between two maps keyed by ID',
    importData: '{"ref":"q1-8c1e"}',
    query: '{"taskId":"q1-8c1e"}',
    reports: [
      ['{"open":{"q7-00ff":{"s":"x"},"q1-8c1e":{"s":"busy"}},"closed":{"q5-11aa":{"s":"lost"}}}', 'running'],
      ['{"open":{"q7-00ff":{"s":"busy"}},"closed":{"q5-11aa":{"s":"lost"},"q1-8c1e":{"s":"fine"}}}', 'succeeded'],
    ],
    steps: [
      ['Map Responses…', 'q1-8c1e'],
      0,
      { state: '(closed."${taskId}" && \'succeeded\') || (open."${taskId}" && \'running\')' },
      1,
    ],
  },
  {
    what: 'multiple tasks per file that end at different times',
    importData: '{"parts":[{"no":101},{"no":201},{"no":301}]}',
    query: ['{"taskId":101}', '{"taskId":201}', '{"taskId":301}'],
    reports: [
      [(query) => (query.includes('101') ? '{"status":"SUCCESS"}' : '{"status":"RUNNING"}'), 'running'],
      [(query) => (query.includes('301') ? '{"status":"RUNNING"}' : '{"status":"SUCCESS"}'), 'running'],
      ['{"status":"SUCCESS"}', 'succeeded'],
    ],
    steps: [['Map Responses…', '101, 201, 301'], 0, 1, 2],
  },
  {
    what: 'a failed task and a task with an unknown status for the same file',
    importData: '{"taskIds":["A-1","B-1"]}',
    query: ['{"taskId":"A-1"}', '{"taskId":"B-1"}'],
    reports: [
      [(query) => (query.includes('A-') ? '{"status":"FAILED","message":"line 3"}' : '{"status":"ODD"}'), 'failed'],
    ],
    steps: [0, ['Map Statuses…', 'ODD → Succeeded']],
  },
  {
    what: 'reports that contain timestamps instead of statuses and mention an unrelated task that failed',
    reports: [
      [
        '{"job":{"endedAt":null,"failedAt":null},"previous":{"taskId":"t-0","failedAt":"2030-01-01T00:00:00Z"}}',
        'running',
      ],
      [
        '{"job":{"endedAt":"2030-01-02T00:00:00Z","failedAt":null},"previous":{"taskId":"t-0","failedAt":"2030-01-01T00:00:00Z"}}',
        'succeeded',
      ],
    ],
    steps: [0, { state: "job.failedAt && 'failed' || job.endedAt && 'succeeded' || 'running'" }, 1],
  },
  {
    what: 'nested lists that also contain an unrelated task',
    importData: '{"slip":{"ref":"r-1"}}',
    query: '{"ref":"r-1"}',
    unknown: "'ref' is missing",
    reports: [
      ['{"batches":[{"jobs":[{"ref":"r-9","outcome":"Z"},{"ref":"r-1","outcome":"P"}]}]}', 'running'],
      ['{"batches":[{"jobs":[{"ref":"r-1","outcome":"F"},{"ref":"r-9","outcome":"Z"}]}]}', 'succeeded'],
    ],
    steps: [
      ['Map Responses…', 'r-1'],
      0,
      ['Edit Request…', { types: /^\{"ref":"\$\{taskId\}"\}$/ }],
      0,
      ['Map Responses…', 'P'],
      ['Map Statuses…', 'P → Running'],
      1,
      ['Map Statuses…', 'F → Succeeded'],
    ],
    maxPicks: 4,
  },
];
