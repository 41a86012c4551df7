import assert from 'node:assert/strict';
import { mapResponses } from '../../../../src/editor/mapping/mapResponses';
import { formatRule } from '../../../../src/editor/platform/formatField';
import { taskItem } from '../../../../src/editor/rows/taskItem';
import { beforeEachWalk, type Summary, type Walk } from './walk';

/** A service that tells the state by several values, and the rules that are proposed from its first response. */
interface Shape {
  readonly told: readonly Summary[];
  readonly rules: string;
}

/** Others are in `shapes/`. */
const shapes: Readonly<Record<string, Shape>> = {
  'two flags, one of them null until the end': {
    told: [
      ['null', 'running'],
      ['{"job":{"finished":false,"success":null}}', 'running'],
      ['{"job":{"finished":true,"success":false}}', 'failed'],
    ],
    rules: "Succeeded when 'finished' is true and 'success' is true",
  },
  'times in a list of tasks, in another order each time': {
    told: [
      [
        '[{"taskId":"T-8","finishedAt":null,"failedAt":"2030-01-01T00:00:00Z"},{"taskId":"T-?","finishedAt":null,"failedAt":null}]',
        'running',
      ],
      [
        '[{"taskId":"T-?","finishedAt":"2030-01-01T00:00:09Z","failedAt":null},{"taskId":"T-8","finishedAt":null,"failedAt":"2030-01-01T00:00:00Z"}]',
        'succeeded',
      ],
    ],
    rules: "Succeeded when 'finishedAt' is present",
  },
};

describe('A state that several values tell', () => {
  let walk: Walk;
  beforeEachWalk((begun) => {
    walk = begun;
  });

  for (const [what, { told, rules }] of Object.entries(shapes)) {
    it(`is understood after one click: ${what}`, async () => {
      await walk.imports(1);
      const first = told.findIndex(([data]) => data !== 'null');
      for (const each of told.slice(0, first + 1)) await walk.hears(each);
      assert.deepEqual(walk.states, ['unknown']);
      const [text = '', ...others] = walk.texts;
      assert.ok(text.startsWith("No status was recognized in the response for 'walk 0.txt'."));
      assert.ok(text.includes(rules) && others.length === 0, walk.texts.join(' | '));
      await walk.clicks('Use These Rules');
      for (const each of told.slice(first + 1)) await walk.hears(each);
      assert.deepEqual(walk.states, [told.at(-1)?.[1]]);
      assert.deepEqual([walk.wrong, walk.inputs], [[], 1]);
      await walk.imports(1);
      await walk.hears(...told.slice(-1), ['null', 'running']);
      assert.equal(walk.states[1], 'noReport');
      for (const each of told) await walk.hears(...told.slice(-1), each);
      assert.equal(walk.states[1], told.at(-1)?.[1]);
      assert.deepEqual([walk.wrong, walk.inputs], [[], 1]);
    });
  }

  it('is said to be not reported yet where data is null or empty, and nothing is asked', async () => {
    await walk.imports(1);
    for (const data of ['null', '{}', '[]', '""']) {
      await walk.hears([data, 'running']);
      assert.deepEqual([walk.states, walk.texts], [['noReport'], []]);
      const [task] = walk.tasks;
      const { description } = taskItem(task ?? assert.fail(), undefined, Date.now());
      assert.match(String(description), /^accepted, no status yet · /);
    }
  });

  it('can be read from any values, and its rules can be moved and removed', async () => {
    const data = (left: number, note: string | null) => JSON.stringify({ left, note, kind: 'x' });
    const edit = () => mapResponses(walk.deps, { dataset: walk.dataset });
    const rules = () => walk.dataset.contract.queryTask.states.map(formatRule);
    await walk.imports(1);
    await walk.hears([data(12, null), 'running']);
    // As it is written in the settings.
    const when = { '/left': { atMost: 12 }, '/note': 'present' } as const;
    await walk.deps.mapping.setRules(walk.dataset, [{ when, is: 'succeeded' }]);
    assert.deepEqual(rules(), ["Succeeded when 'left' is at most 12 and 'note' is present"]);
    await walk.picks(edit, 'Edit State Rules…', 'note: null', "Failed when 'note' is present");
    await walk.picks(edit, 'Edit State Rules…', 'kind: x', "Running when 'kind' is 'x'");
    const [failed = '', succeeded = '', running = ''] = rules();
    assert.deepEqual(
      [failed, succeeded, running],
      [
        "Failed when 'note' is present",
        "Succeeded when 'left' is at most 12 and 'note' is present",
        "Running when 'kind' is 'x'",
      ],
    );
    await walk.picks(edit, running, 'Move Up');
    assert.deepEqual(rules(), [failed, running, succeeded]);
    await walk.picks(edit, failed, 'Remove');
    await walk.picks(edit, running, 'Remove');
    assert.deepEqual(rules(), [succeeded]);
    await walk.hears([data(12, 'done'), 'succeeded']);
    assert.deepEqual([walk.states, walk.wrong], [['succeeded'], []]);
    await walk.picks(edit, succeeded, 'Remove');
    assert.deepEqual([walk.states, rules()], [['unknown'], []]);
  });

  it('is told by a status again once one is chosen', async () => {
    await walk.imports(1);
    await walk.hears(['{"st":"RUNNING","finished":false,"success":false}', 'running']);
    await walk.clicks('Edit State Rules…', "Succeeded when 'finished' is true and 'success' is true");
    await walk.deps.mapping.setPointer(walk.dataset, 'status', '/st', walk.tasks[0]?.key);
    assert.deepEqual(walk.dataset.contract.queryTask.states, []);
    await walk.hears(['{"st":"DONE","finished":false,"success":false}', 'succeeded']);
    assert.deepEqual([walk.states, walk.wrong], [['succeeded'], []]);
  });
});
