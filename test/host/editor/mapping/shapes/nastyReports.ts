import type { Shape } from './shape';

/** Services whose reports would mislead a guess. */
export const nastyReports: readonly Shape[] = [
  {
    what: 'a page of tasks with decoys, in another order each time, whichever is asked about',
    tells: [
      ['{"rows":[{"taskId":"t-9","st":"FAILED"},{"taskId":"t-1","st":"W"}],"total":2}', 'running'],
      ['{"rows":[{"taskId":"t-1","st":"E"},{"taskId":"t-7","st":"W"},{"taskId":"t-9","st":"FAILED"}]}', 'succeeded'],
    ],
    steps: [0, ['Map Responses…', 'W'], ['Map Statuses…', 'W → Running'], 1, ['Map Statuses…', 'E → Succeeded']],
  },
  {
    what: 'maps of tasks by ID, between which a task moves',
    begins: (task) => `{"ref":"q${task}-8c1e"}`,
    query: (task) => `{"taskId":"q${task}-8c1e"}`,
    tells: [
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
    what: 'a log of events whose last one counts',
    tells: [
      ['{"events":[{"what":"begun"}]}', 'running'],
      ['{"events":[{"what":"begun"},{"what":"error"},{"what":"again"}]}', 'running'],
      ['{"events":[{"what":"begun"},{"what":"error"},{"what":"again"},{"what":"done"}]}', 'succeeded'],
    ],
    steps: [1, { state: "events[-1].what == 'done' && 'succeeded' || 'running'" }, 2],
  },
  {
    what: 'several tasks of one file, one of which ends before the others',
    begins: (task) => `{"parts":[{"no":10${task}},{"no":20${task}},{"no":30${task}}]}`,
    query: (task) => [`{"taskId":10${task}}`, `{"taskId":20${task}}`, `{"taskId":30${task}}`],
    tells: [
      [(_, asked) => (asked.includes('101') ? '{"status":"SUCCESS"}' : '{"status":"RUNNING"}'), 'running'],
      [(_, asked) => (asked.includes('301') ? '{"status":"RUNNING"}' : '{"status":"SUCCESS"}'), 'running'],
      ['{"status":"SUCCESS"}', 'succeeded'],
    ],
    steps: [['Map Responses…', '101, 201, 301'], 0, 1, 2],
  },
  {
    what: 'several tasks of one file, one of which failed while the status of another is unknown',
    begins: (task) => `{"taskIds":["A-${task}","B-${task}"]}`,
    query: (task) => [`{"taskId":"A-${task}"}`, `{"taskId":"B-${task}"}`],
    tells: [
      [(_, asked) => (asked.includes('A-') ? '{"status":"FAILED","message":"line 3"}' : '{"status":"ODD"}'), 'failed'],
    ],
    steps: [0, ['Map Statuses…', 'ODD → Succeeded']],
  },
  {
    what: 'times instead of states, next to the failure of another task',
    tells: [
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
    what: 'data that is null and then empty at first, and a list of errors that is empty on success',
    tells: [
      ['null', 'running'],
      ['{}', 'running'],
      ['{"finishedAt":"2030-01-01T00:00:00Z","errors":[{"text":"line 3"}]}', 'failed'],
      ['{"finishedAt":null,"errors":[]}', 'running'],
      ['{"finishedAt":"2030-01-01T00:00:00Z","errors":[]}', 'succeeded'],
    ],
    steps: [
      0,
      1,
      { state: "finishedAt && (length(errors || `[]`) > `0` && 'failed' || 'succeeded') || 'running'" },
      2,
      { imports: 1 },
      [2, 3],
      [2, 4],
    ],
  },
  {
    what: 'lists in lists, with another task beside ours',
    begins: (task) => `{"slip":{"ref":"r-${task}"}}`,
    query: (task) => `{"ref":"r-${task}"}`,
    unknown: () => "'ref' is missing",
    tells: [
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
