import assert from 'node:assert/strict';
import { setImmediate as immediate } from 'node:timers/promises';
import { Lull } from '../../../../src/editor/tree/lull';

describe('What waits for a lull', () => {
  it('passes a change at once, and those that follow together, each once, as soon as nothing changes any more', async () => {
    const passed: (readonly string[] | undefined)[] = [];
    const lull = new Lull<string>({ quietMs: 5, longestMs: 10_000 }, (items) => passed.push(items));
    lull.add(['a']);
    assert.deepEqual(passed, [['a']]);
    lull.add(['b', 'c']);
    lull.add(['b']);
    assert.equal(passed.length, 1);
    while (passed.length < 2) await immediate();
    lull.add([]);
    lull.add(['d']);
    lull.addAll();
    while (passed.length < 3) await immediate();
    assert.deepEqual(passed, [['a'], ['b', 'c'], undefined]);
  });

  it('does not wait for ever while changes go on', async () => {
    const passed: unknown[] = [];
    const lull = new Lull<string>({ quietMs: 10_000, longestMs: 5 }, (items) => passed.push(items));
    while (passed.length < 3) {
      lull.add(['a']);
      await immediate();
    }
    lull.dispose();
    assert.deepEqual(passed, [['a'], ['a'], ['a']]);
  });
});
