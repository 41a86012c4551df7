import assert from 'node:assert/strict';
import { Webhooks } from '../../../../src/editor/datasets/webhooks';
import { MemoryMemento } from '../../memoryStorage';

describe('The webhook last set', () => {
  const owner = { name: 'Manuals', baseUrl: new URL('https://import.example.com') };

  it('is remembered for the dataset and its origin, and told of', async () => {
    const state = new MemoryMemento();
    const webhooks = new Webhooks(state);
    let told = 0;
    webhooks.onDidChange(() => told++);
    assert.equal(webhooks.last(owner), undefined);
    await webhooks.remember(owner, new URL('https://hooks.example/a?b=c'));
    assert.equal(webhooks.last(owner), 'https://hooks.example/a?b=c');
    assert.equal(told, 1);
    assert.equal(webhooks.last({ ...owner, name: 'Logs' }), undefined);
    assert.equal(webhooks.last({ ...owner, baseUrl: new URL('https://import.example.org') }), undefined);
    assert.equal(new Webhooks(state).last(owner), 'https://hooks.example/a?b=c');
  });

  it('is not verified from before it is sent until it is known, and the one before stays known', async () => {
    const state = new MemoryMemento();
    const webhooks = new Webhooks(state);
    await webhooks.remember(owner, new URL('https://hooks.example/first'));
    let told = 0;
    webhooks.onDidChange(() => told++);
    await webhooks.rememberNotVerified(owner, 'https://hooks.example/second');
    const restarted = new Webhooks(state);
    assert.equal(restarted.notVerified(owner), 'https://hooks.example/second');
    assert.equal(restarted.last(owner), 'https://hooks.example/first');
    assert.equal(restarted.notVerified({ ...owner, name: 'Logs' }), undefined);
    await webhooks.rememberNotVerified(owner, undefined);
    assert.deepEqual([webhooks.notVerified(owner), webhooks.last(owner)], [undefined, 'https://hooks.example/first']);
    assert.equal(told, 2);
  });

  it('that the service has taken is verified', async () => {
    const webhooks = new Webhooks(new MemoryMemento());
    await webhooks.rememberNotVerified(owner, 'https://hooks.example/second');
    await webhooks.remember(owner, new URL('https://hooks.example/second'));
    assert.deepEqual([webhooks.notVerified(owner), webhooks.last(owner)], [undefined, 'https://hooks.example/second']);
  });
});
