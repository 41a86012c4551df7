import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { withDelayedProgress } from '../../../../src/editor/platform/withDelayedProgress';
import { HandClock } from '../../../unit/tasks/handClock';
import { untilSettled } from '../../until';

/** Longer than anyone waits without a word. */
const LONG_MS = 10_000;

describe('Waiting for what may take long', () => {
  it('gives what comes of it, be it quick or slow', async () => {
    const clock = new HandClock();
    assert.equal(await withDelayedProgress('Looking', async () => 'quick', clock), 'quick');
    assert.equal(clock.alarms, 0);
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = withDelayedProgress('Looking', () => promise, clock);
    clock.advance(LONG_MS);
    resolve('slow');
    assert.equal(await waiting, 'slow');
  });

  it('lets through what goes wrong', async () => {
    await assert.rejects(
      withDelayedProgress('Looking', () => Promise.reject(new Error('no disk'))),
      /no disk/,
    );
  });

  it('ends at once where the user stops it, though the work does not hear of it', async () => {
    const clock = new HandClock();
    let heard: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      heard = signal;
      return new Promise(() => {});
    };
    const waiting = withDelayedProgress('Looking', work, clock);
    clock.advance(LONG_MS);
    const accept = () => commands.executeCommand('notification.acceptPrimaryAction');
    assert.equal(await untilSettled('the progress to be canceled', waiting, accept), undefined);
    assert.equal(heard?.aborted, true);
  });
});
