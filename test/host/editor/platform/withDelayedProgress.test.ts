import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { withDelayedProgress } from '../../../../src/editor/platform/withDelayedProgress';
import { HandClock } from '../../../unit/tasks/handClock';
import { untilSettled } from '../../until';

/** Longer than the delay before progress is shown. */
const LONG_MS = 10_000;

describe('withDelayedProgress', () => {
  it('returns the result of its work, whether the work is quick or slow', async () => {
    const clock = new HandClock();
    assert.equal(await withDelayedProgress('Looking', async () => 'quick', clock), 'quick');
    assert.equal(clock.alarms, 0);
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = withDelayedProgress('Looking', () => promise, clock);
    clock.advance(LONG_MS);
    resolve('slow');
    assert.equal(await waiting, 'slow');
  });

  it('rejects with the error that its work throws', async () => {
    await assert.rejects(
      withDelayedProgress('Looking', () => Promise.reject(new Error('no disk'))),
      /no disk/,
    );
  });

  it('ends as soon as the user cancels, even if the work ignores the abort signal', async () => {
    const clock = new HandClock();
    let passed: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      passed = signal;
      return new Promise(() => {});
    };
    const waiting = withDelayedProgress('Looking', work, clock);
    clock.advance(LONG_MS);
    const accept = () => commands.executeCommand('notification.acceptPrimaryAction');
    assert.equal(await untilSettled('the progress to be canceled', waiting, accept), undefined);
    assert.equal(passed?.aborted, true);
  });
});
