import type { Shape } from './shape';

const begins = (task: number) => `{"taskId":"t-${task}"}`;
const query = begins;

/** Services whose tasks end in ways that a rule made from their first response could take for something else. */
export const misleadingEnds: readonly Shape[] = [
  {
    what: 'numbers as statuses that grow as percent does',
    begins,
    query,
    tells: [
      ['{"lamp":11}', 'running'],
      ['{"lamp":23}', 'running'],
      ['{"lamp":47}', 'failed'],
    ],
    before: { picks: 3, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('Choose the Status…', '11');
      await user.clicks('Running');
      await user.comes(1);
      await user.comes(2);
      await user.clicks('All Statuses…', ['23', 0], ['47', 2], 'Save');
    },
  },
  {
    what: 'a flag that says done, and an error object that comes with it where it failed',
    begins,
    query,
    tells: [
      ['{"done":false}', 'running'],
      ['{"done":true,"error":{"code":5,"text":"line 7"}}', 'failed'],
      ['{"done":true}', 'succeeded'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.clicks('Edit State Rules…', "Succeeded when 'done' is true and 'error' is absent");
      await user.comes(1);
      await user.imports();
      await user.comes(1, 2);
    },
  },
  {
    what: 'a word for success, and a failure beside it',
    begins,
    query,
    tells: [
      ['{"status":"RUNNING"}', 'running'],
      ['{"status":"DONE","failure":{"line":7}}', 'failed'],
      ['{"status":"DONE","failure":null}', 'succeeded'],
    ],
    before: { picks: 1, edits: 0 },
    walk: async (user) => {
      await user.imports();
      await user.comes(0);
      await user.comes(1);
      await user.clicks('Failed');
      await user.imports(2);
      await user.comes(1, 1, 2);
    },
  },
  {
    what: 'a reason that comes without the time of an end',
    begins,
    query,
    tells: [
      ['{"endedAt":null,"failReason":null}', 'running'],
      ['{"endedAt":null,"failReason":"no space"}', 'failed'],
      ['{"endedAt":"2030-01-01T00:00:00Z","failReason":null}', 'succeeded'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports(2);
      await user.comes(0);
      await user.clicks('Edit State Rules…', "Succeeded when 'endedAt' is present and 'failReason' is absent");
      await user.comes(1, 2);
    },
  },
  {
    what: 'a reason in words of no language known here, which is not there while all is well',
    begins,
    query,
    tells: [
      ['{"job":{"fertig":false}}', 'running'],
      ['{"job":{"fertig":true,"grund":"Zeile 3"}}', 'failed'],
      ['{"job":{"fertig":true}}', 'succeeded'],
    ],
    before: { picks: 3, edits: 0 },
    walk: async (user) => {
      await user.imports(2);
      await user.comes(0);
      await user.clicks(
        'Edit State Rules…',
        { types: 'grund' },
        "Succeeded when 'fertig' is true and 'grund' is absent",
      );
      await user.comes(1, 2);
    },
  },
  {
    what: 'counters, and a flag for the failure',
    begins,
    query,
    tells: [
      ['{"pending":9,"total":9,"failed":false}', 'running'],
      ['{"pending":4,"total":9,"failed":true}', 'failed'],
      ['{"pending":0,"total":9,"failed":false}', 'succeeded'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports(2);
      await user.comes(0);
      await user.clicks('Edit State Rules…', /^Succeeded when 'pending' is 0, 'total' is at least 1/);
      await user.comes(1, 2);
    },
  },
  {
    what: 'progress that is negative where it failed',
    begins,
    query,
    tells: [
      ['{"progress":40}', 'running'],
      ['{"progress":-1}', 'failed'],
      ['{"progress":100}', 'succeeded'],
    ],
    before: { picks: 2, edits: 0 },
    walk: async (user) => {
      await user.imports(2);
      await user.comes(0);
      await user.clicks('Edit State Rules…', "Succeeded when 'progress' is at least 100");
      await user.comes(1, 2);
    },
  },
];
