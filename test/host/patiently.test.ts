import assert from 'node:assert/strict';
import { commands } from 'vscode';
import { patiently } from '../../src/editor/patiently';

describe('Waiting for what may take long', () => {
  it('gives what comes of it, be it quick or slow', async () => {
    assert.equal(await patiently('Looking', async () => 'quick'), 'quick');
    const { promise, resolve } = Promise.withResolvers<string>();
    const waiting = patiently('Looking', () => promise);
    setTimeout(() => resolve('slow'), 1100);
    assert.equal(await waiting, 'slow');
  });

  it('lets through what goes wrong', async () => {
    await assert.rejects(
      patiently('Looking', () => Promise.reject(new Error('no disk'))),
      /no disk/,
    );
  });

  it('ends at once where the user stops it, though the work does not hear of it', async () => {
    let heard: AbortSignal | undefined;
    const waiting = patiently('Looking', (signal) => {
      heard = signal;
      return new Promise(() => {});
    });
    let ended = false;
    const result = waiting.finally(() => {
      ended = true;
    });
    while (!ended) await Promise.race([result, commands.executeCommand('notification.acceptPrimaryAction')]);
    assert.equal(await result, undefined);
    assert.equal(heard?.aborted, true);
  });
});
