import assert from 'node:assert/strict';
import { AccessKeys, type KeyOwner } from '../../../../src/editor/datasets/accessKeys';
import { storeAccessKey } from '../../../../src/editor/datasets/enterAccessKey';
import { KEY_MASK, KnownKeys } from '../../../../src/service/masking/mask';
import { HandClock } from '../../../unit/tasks/handClock';
import { activated } from '../../activated';
import { MemorySecrets } from '../../memoryStorage';

const key = 'ak-9f8e7d6c5b4a';
const owner = of('Manuals', 'https://import.example.com/base');

describe("A dataset's access key", () => {
  let secrets: MemorySecrets;
  let keys: AccessKeys;

  beforeEach(() => {
    secrets = new MemorySecrets();
    keys = new AccessKeys(secrets);
  });

  it("is kept in VS Code's secret storage until it is cleared", async () => {
    ({ keys } = await activated());
    assert.equal(await keys.get(owner), undefined);
    await keys.set(owner, key);
    assert.equal(await keys.get(owner), key);
    await keys.clear(owner);
    assert.equal(await keys.get(owner), undefined);
  });

  it('is used only for the dataset and origin that it was entered for', async () => {
    await keys.set(owner, key);
    for (const other of [
      of('Manuals', 'https://import.example.org/base'),
      of('Manuals', 'http://import.example.com/base'),
      of('Manuals', 'https://import.example.com:8443/base'),
      of('manuals', 'https://import.example.com/base'),
    ]) {
      assert.equal(await keys.get(other), undefined, `${other.name} ${other.baseUrl.href}`);
    }
    assert.equal(await keys.get(of('Manuals', 'https://import.example.com:443/other')), key);
    // A name may look like the start of another dataset's slot.
    await keys.set(of('a","https://b.example', 'https://c.example'), key);
    assert.equal(await keys.get(of('a', 'https://b.example')), undefined);
  });

  it("is replaced when a key is entered for the dataset's new origin", async () => {
    const moved = of('Manuals', 'https://moved.example.com');
    await keys.set(owner, key);
    await keys.set(moved, 'key-of-the-new-origin');
    assert.deepEqual([await keys.get(owner), await keys.get(moved)], [undefined, 'key-of-the-new-origin']);
  });

  it('is masked after it has been read, set or replaced', async () => {
    await keys.set(owner, 'replaced-key-01');
    const known = new KnownKeys();
    keys = new AccessKeys(secrets, known);
    const text = 'replaced-key-01 stored-key-0002 session-key-003';
    assert.equal(known.mask(text), text);
    await keys.set(owner, 'stored-key-0002');
    keys.setForSession(owner, 'session-key-003');
    assert.equal(known.mask(text), `${KEY_MASK} ${KEY_MASK} ${KEY_MASK}`);
    const readOnly = new KnownKeys();
    await new AccessKeys(secrets, readOnly).get(owner);
    assert.equal(readOnly.mask(text), `replaced-key-01 ${KEY_MASK} session-key-003`);
  });

  it('is cached until VS Code reports a change, even if the secret storage stops responding', async () => {
    await keys.set(owner, key);
    assert.equal(await keys.get(owner), key);
    const { get } = secrets;
    secrets.get = () => new Promise(() => {});
    assert.equal(await keys.get(owner), key);
    secrets.get = get;
    let changes = 0;
    keys.onDidChange(() => changes++);
    await secrets.store([...secrets.kept.keys()][0] ?? '', stored('stored-elsewhere'));
    assert.equal(await keys.get(owner), 'stored-elsewhere');
    assert.equal(changes, 1);
  });

  it('that was missing is looked for again after VS Code reports a change', async () => {
    assert.equal(await keys.get(owner), undefined);
    assert.ok(keys.lacks(owner));
    const before = keys.get(owner);
    await new AccessKeys(secrets).set(owner, key);
    await before;
    assert.ok(!keys.lacks(owner));
  });

  it('is read again after the service rejects it, even if VS Code reported no change', async () => {
    await keys.set(owner, key);
    assert.equal(await keys.get(owner), key);
    for (const slot of secrets.kept.keys()) secrets.kept.set(slot, stored('replaced-elsewhere'));
    assert.equal(await keys.get(owner), key);
    keys.readAgain();
    assert.equal(await keys.get(owner), 'replaced-elsewhere');
  });

  it('that is set only for the current session overrides the stored key until another key is stored', async () => {
    await keys.set(owner, 'stored');
    keys.setForSession(owner, 'session');
    assert.equal(await keys.get(owner), 'session');
    assert.deepEqual([...secrets.kept.values()], [stored('stored')]);
    await keys.set(owner, 'next');
    assert.equal(await keys.get(owner), 'next');
  });

  it('is reported as not stored if the secret storage fails', async () => {
    secrets.store = () => Promise.reject(new Error('no keyring'));
    // VS Code doesn't show dialogs in tests. Instead, the call that would show the dialog rejects with its text.
    await assert.rejects(storeAccessKey(keys, owner, key), (error: Error) => {
      assert.match(error.message, /'Manuals'.*no keyring/);
      assert.ok(!error.message.includes(key));
      return true;
    });
    assert.equal(await keys.get(owner), undefined);
  });

  it('counts as missing if the secret storage fails, and the failure is reported only once', async () => {
    secrets.get = () => Promise.reject(new Error('no keyring'));
    const causes: unknown[] = [];
    keys.onDidFindUnreadable((cause) => causes.push(cause));
    assert.deepEqual([await keys.get(owner), await keys.get(owner)], [undefined, undefined]);
    assert.match(causes.map(String).join(), /^Error: no keyring$/);
    keys.setForSession(owner, key);
    assert.equal(await keys.get(owner), key);
  });

  it('counts as missing and can be replaced if its entry in the secret storage is damaged', async () => {
    keys.onDidFindUnreadable((cause) => assert.fail(`A message would repeat part of the key: ${cause}`));
    await keys.set(owner, key);
    for (const damaged of [key, `["https://import.example.com"]`, '7']) {
      for (const name of secrets.kept.keys()) await secrets.store(name, damaged);
      assert.equal(await keys.get(owner), undefined);
      await keys.set(owner, key);
      assert.equal(await keys.get(owner), key);
    }
  });

  it('counts as missing until the secret storage responds with a key', async () => {
    const clock = new HandClock();
    keys = new AccessKeys(secrets, new KnownKeys(), clock);
    const causes: unknown[] = [];
    keys.onDidFindUnreadable((cause) => causes.push(cause));
    for (const response of [undefined, stored(key)]) {
      const { promise: unlocked, resolve: unlock } = Promise.withResolvers<string | undefined>();
      secrets.get = () => unlocked;
      const reading = keys.get(owner);
      clock.advance(4999);
      assert.equal(clock.alarms, 1);
      clock.advance(1);
      assert.equal(await reading, undefined);
      let changes = 0;
      const counting = keys.onDidChange(() => changes++);
      unlock(response);
      await unlocked;
      assert.deepEqual([keys.lacks(owner), changes], response === undefined ? [true, 0] : [false, 1]);
      counting.dispose();
    }
    assert.match(causes.map(String).join(), /^Error: no response within 5 s$/);
    assert.equal(await keys.get(owner), key);
    assert.equal(clock.alarms, 0);
  });

  it('cannot be cleared if the secret storage fails, unless it was set for the session only', async () => {
    secrets.delete = () => Promise.reject(new Error('no keyring'));
    keys.setForSession(owner, key);
    await assert.rejects(keys.clear(owner), { name: 'UserError', message: /'Manuals': no keyring/ });
    assert.equal(await keys.get(owner), undefined);
  });
});

/** The owner's key in the format stored in SecretStorage. */
function stored(accessKey: string): string {
  return JSON.stringify([owner.baseUrl.origin, accessKey]);
}

function of(name: string, baseUrl: string): KeyOwner {
  return { name, baseUrl: new URL(baseUrl) };
}
