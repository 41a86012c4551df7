import type { Shape } from './shape';

/** Services whose tasks end in ways that a guess made from their first response could take for something else. */
export const misleadingEnds: readonly Shape[] = [
  {
    what: 'numbers as statuses that grow as percent does',
    tells: [
      ['{"lamp":11}', 'running'],
      ['{"lamp":23}', 'running'],
      ['{"lamp":47}', 'failed'],
    ],
    steps: [
      0,
      ['Choose the Status…', '11'],
      ['Map Statuses…', ['11', 0], 'Save'],
      1,
      2,
      ['Map Statuses…', ['23', 0], ['47', 2], 'Save'],
    ],
  },
  {
    what: 'a flag that says done, and an error object that comes with it where it failed',
    tells: [
      ['{"done":false}', 'running'],
      ['{"done":true,"error":{"code":5,"text":"line 7"}}', 'failed'],
      ['{"done":true}', 'succeeded'],
    ],
    steps: [0, { state: "done && (error && 'failed' || 'succeeded') || 'running'" }, 1, { imports: 1 }, [1, 2]],
  },
  {
    what: 'a word for success, and a failure beside it',
    tells: [
      ['{"status":"RUNNING"}', 'running'],
      ['{"status":"DONE","failure":{"line":7}}', 'failed'],
      ['{"status":"DONE","failure":null}', 'succeeded'],
    ],
    steps: [
      0,
      { state: "status == 'DONE' && (failure && 'failed' || 'succeeded') || 'running'" },
      1,
      { imports: 2 },
      [1, 1, 2],
    ],
  },
  {
    what: 'a reason that comes without the time of an end',
    tells: [
      ['{"endedAt":null,"failReason":null}', 'running'],
      ['{"endedAt":null,"failReason":"no space"}', 'failed'],
      ['{"endedAt":"2030-01-01T00:00:00Z","failReason":null}', 'succeeded'],
    ],
    files: 2,
    steps: [0, { state: "failReason && 'failed' || endedAt && 'succeeded' || 'running'" }, [1, 2]],
  },
  {
    what: 'a reason in words of no language known here, which is not there while all is well',
    tells: [
      ['{"job":{"fertig":false}}', 'running'],
      ['{"job":{"fertig":true,"grund":"Zeile 3"}}', 'failed'],
      ['{"job":{"fertig":true}}', 'succeeded'],
    ],
    files: 2,
    steps: [0, { state: "job.fertig && (job.grund && 'failed' || 'succeeded') || 'running'" }, [1, 2]],
  },
  {
    what: 'counters, and a flag for the failure',
    tells: [
      ['{"pending":9,"total":9,"failed":false}', 'running'],
      ['{"pending":4,"total":9,"failed":true}', 'failed'],
      ['{"pending":0,"total":9,"failed":false}', 'succeeded'],
    ],
    files: 2,
    steps: [0, { state: "failed && 'failed' || pending == `0` && total > `0` && 'succeeded' || 'running'" }, [1, 2]],
  },
  {
    what: 'progress that is negative where it failed',
    tells: [
      ['{"progress":40}', 'running'],
      ['{"progress":-1}', 'failed'],
      ['{"progress":100}', 'succeeded'],
    ],
    files: 2,
    steps: [0, { state: "progress < `0` && 'failed' || progress >= `100` && 'succeeded' || 'running'" }, [1, 2]],
  },
];
