import type { Shape } from './shape';

const usual = (task: number) => ({ begins: `{"taskId":"t-${task}"}`, query: `{"taskId":"t-${task}"}` });
const begins = (task: number) => usual(task).begins;
const query = (task: number) => usual(task).query;

/** Services that would mislead whoever guesses. */
export const nastyShapes: readonly Shape[] = [
  {
    what: 'a page of tasks with decoys, in another order each time, whichever is asked about',
    begins,
    query,
    tells: [
      ['{"rows":[{"taskId":"t-9","st":"FAILED"},{"taskId":"t-1","st":"W"}],"total":2}', 'running'],
      ['{"rows":[{"taskId":"t-1","st":"E"},{"taskId":"t-7","st":"W"},{"taskId":"t-9","st":"FAILED"}]}', 'succeeded'],
    ],
    before: { picks: 3, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('Choose the Status…', 'W');
      await user.clicks('Running');
      await user.comes(1);
      await user.clicks('Succeeded');
    },
  },
  {
    what: 'a map of tasks by their ids, which moves from one map to another',
    begins: (task) => `{"ref":"q${task}-8c1e"}`,
    query: (task) => `{"taskId":"q${task}-8c1e"}`,
    tells: [
      ['{"open":{"q7-00ff":{"s":"x"},"q1-8c1e":{"s":"busy"}},"closed":{"q5-11aa":{"s":"lost"}}}', 'running'],
      ['{"open":{"q7-00ff":{"s":"busy"}},"closed":{"q5-11aa":{"s":"lost"},"q1-8c1e":{"s":"fine"}}}', 'succeeded'],
    ],
    before: { picks: 4, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.clicks('Choose the Task ID…', 'q1-8c1e');
      await user.comes(1);
      await user.clicks('Choose the Status…', 'fine');
      await user.clicks('Succeeded');
    },
  },
  {
    what: 'a log of events, of which the last one counts',
    begins,
    query,
    tells: [
      ['{"events":[{"what":"begun"}]}', 'running'],
      ['{"events":[{"what":"begun"},{"what":"error"},{"what":"again"}]}', 'running'],
      ['{"events":[{"what":"begun"},{"what":"error"},{"what":"again"},{"what":"done"}]}', 'succeeded'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(1);
      await user.clicks('Choose the Status…', 'again');
      await user.clicks('Running');
      await user.comes(2);
    },
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
    before: { picks: 1, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.clicks('Choose the Task ID…', '101, 201, 301');
      await user.comes(0);
      await user.comes(1);
      await user.comes(2);
    },
  },
  {
    what: 'two flags, and a message that is left over from a try before',
    begins,
    query,
    tells: [
      ['{"finished":false,"success":false,"error":"timeout, trying again"}', 'running'],
      ['{"finished":true,"success":true,"error":"timeout, trying again"}', 'succeeded'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('What Tells the State?…', "Succeeded when 'finished' is true and 'success' is true");
      await user.comes(1);
    },
  },
  {
    what: 'times in place of states, with the failure of another task beside them',
    begins,
    query,
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
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('What Tells the State?…', "Succeeded when 'endedAt' is present");
      await user.comes(1);
    },
  },
  {
    what: 'counters that are all 0 at first, and one that failed',
    begins,
    query,
    tells: [
      ['{"pending":0,"failed":0,"total":0}', 'running'],
      ['{"pending":3,"failed":1,"total":9}', 'running'],
      ['{"pending":0,"failed":1,"total":9}', 'failed'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('What Tells the State?…', /^Succeeded when 'pending' is 0 and 'total' is at least 1/);
      await user.comes(1);
      await user.comes(2);
    },
  },
  {
    what: 'data that is null and then empty at first, and a list of errors that is empty where all is well',
    begins,
    query,
    tells: [
      ['null', 'running'],
      ['{}', 'running'],
      ['{"finishedAt":"2030-01-01T00:00:00Z","errors":[{"text":"line 3"}]}', 'failed'],
      ['{"finishedAt":null,"errors":[]}', 'running'],
      ['{"finishedAt":"2030-01-01T00:00:00Z","errors":[]}', 'succeeded'],
    ],
    before: { picks: 3, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.comes(1);
      await user.comes(2);
      const rule = "Succeeded when 'finishedAt' is present and 'errors' is absent";
      await user.clicks('What Tells the State?…', rule);
      await user.imports();
      await user.comes(2, 3);
      await user.comes(2, 4);
    },
  },
  {
    what: 'progress in place of a status',
    begins,
    query,
    tells: [
      ['{"percent":0,"error":null}', 'running'],
      ['{"percent":63,"error":null}', 'running'],
      ['{"percent":100,"error":null}', 'succeeded'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(1);
      await user.clicks('What Tells the State?…', "Succeeded when 'percent' is at least 100");
      await user.comes(2);
    },
  },
  {
    what: 'an id that comes as text and is wanted as a number',
    begins: (task) => `{"taskId":"900719925474099312${task}"}`,
    query: (task) => `{"taskId":900719925474099312${task}}`,
    unknown: () => 'taskId must be a number',
    tells: [
      ['{"taskId":9007199254740993121,"status":"running"}', 'running'],
      ['{"taskId":9007199254740993121,"status":"success"}', 'succeeded'],
    ],
    before: { picks: 0, edits: 1 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('Edit Request…', { types: /^\{"taskId":"\$\{taskId:number\}"\}$/ });
      await user.comes(1);
    },
  },
  {
    what: 'a file name with quotes in a field that is JSON',
    file: (number) => `minutes "draft" ${number}.txt`,
    lacks: ({ form, fileName }) => {
      if (form['meta'] === undefined) return 'form field "meta" is required';
      const { name, tags } = JSON.parse(form['meta']) as { name: string; tags: string[] };
      return name === fileName && tags[0] === 'x' ? undefined : 'meta is invalid';
    },
    begins,
    query,
    tells: [['{"status":"success"}', 'succeeded']],
    before: { picks: 0, edits: 1 },
    walk: async (user) => {
      await user.imports();
      const meta = '{"name":"${fileName}","tags":["x"]}';
      await user.clicks('Edit Request and Import Again…', 'Text and Values…', { types: meta });
      await user.comes(0);
    },
  },
  {
    what: 'statuses of which only the case tells what they mean',
    begins,
    query,
    tells: [
      ['{"status":"fin"}', 'running'],
      ['{"status":"Fin"}', 'failed'],
      ['{"status":"FIN"}', 'succeeded'],
    ],
    before: { picks: 3, edits: 0 },
    walk: async (user) => {
      await user.imports(2);
      await user.comes(0);
      await user.clicks('Running');
      await user.comes(2, 1);
      await user.clicks('All Statuses…', ['FIN', 1], ['Fin', 2], 'Save');
    },
  },
  {
    what: 'data that is a text of JSON, which holds a list of tasks',
    begins: (task) => JSON.stringify(`[{"ticket":"K-${task}0"}]`),
    query: (task) => `{"taskId":"K-${task}0"}`,
    tells: [
      [JSON.stringify('[{"ticket":"K-99","flag":"F"},{"ticket":"K-10","flag":"R"}]'), 'running'],
      [JSON.stringify('[{"ticket":"K-10","flag":"S"},{"ticket":"K-99","flag":"F"}]'), 'succeeded'],
    ],
    before: { picks: 4, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.clicks('Choose the Task ID…', 'K-10');
      await user.comes(1);
      await user.clicks('Choose the Status…', 'S');
      await user.clicks('Succeeded');
    },
  },
  {
    what: 'a rejection that names two parts that lack',
    lacks: ({ form }) =>
      form['datasetCode'] === 'A1' && form['title'] === 'shape 1'
        ? undefined
        : "form part 'title' is required; form part 'datasetCode' is required",
    begins,
    query,
    tells: [['{"status":"success"}', 'succeeded']],
    before: { picks: 0, edits: 2 },
    walk: async (user) => {
      await user.imports();
      await user.clicks('Edit Request and Import Again…', 'Task Name', { types: 'A1' });
      await user.comes(0);
    },
  },
  {
    what: 'an id that is a number here and a text there, among others of the same digits',
    begins: (task) => `{"id":70${task}}`,
    query: (task) => `{"taskId":70${task}}`,
    tells: [
      ['{"tasks":[{"id":"7011","status":"FAILED"},{"id":"701","status":"RUNNING"}]}', 'running'],
      ['{"tasks":[{"id":"701","status":"SUCCESS"},{"id":"7011","status":"FAILED"}]}', 'succeeded'],
    ],
    before: { picks: 0, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.comes(1);
    },
  },
  {
    what: 'a report that names its task by another id than the import did',
    begins: (task) => `{"taskId":"t-${task}","jobId":"J-${task}"}`,
    query,
    tells: [
      ['{"jobId":"J-1","status":"running"}', 'running'],
      ['{"jobId":"J-1","status":"success"}', 'succeeded'],
    ],
    before: { picks: 1, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('Choose the Status…', 'running');
      await user.comes(1);
    },
  },
  {
    what: 'a report that names its task by an id that the import did not tell',
    begins,
    query,
    tells: [
      ['{"jobId":"J-77","status":"running"}', 'running'],
      ['{"jobId":"J-77","status":"success"}', 'succeeded'],
    ],
    before: { picks: 1, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('Choose the Status…', 'running');
      await user.comes(1);
    },
  },
  {
    what: 'flags and reasons in words of no language known here',
    begins,
    query,
    tells: [
      ['{"fertig":false,"fehler":null,"zeile":3}', 'running'],
      ['{"fertig":true,"fehler":null,"zeile":9}', 'succeeded'],
    ],
    before: { picks: 3, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('What Tells the State?…', 'fertig: false', "Succeeded when 'fertig' is true");
      await user.comes(1);
    },
  },
];
