import assert from 'node:assert/strict';
import { AccessKeys } from '../../../../src/editor/datasets/accessKeys';
import type { Picks } from '../../../../src/editor/platform/window';
import { askTaskId } from '../../../../src/editor/taskCommands/askTaskId';
import { maskOf } from '../../../../src/service/masking/mask';
import { MemorySecrets } from '../../memoryStorage';

describe('A typed task ID', () => {
  const key = '12345678901234567';

  async function typed(text: string): Promise<string | undefined> {
    const keys = new AccessKeys(new MemorySecrets());
    keys.setForSession({ name: 'Manuals', baseUrl: new URL('https://import.example.com') }, key);
    const one = async (items: readonly { readonly as: string }[]) => items.find(({ as }) => as === 'number');
    return askTaskId({ keys, picks: { text: async () => text, one } as unknown as Picks }, 'Track Task', 'Enter it.');
  }

  it('is stored with the access key in it masked', async () => {
    assert.equal(await typed(` ${key}-7 `), `"${maskOf(key)}-7"`);
    assert.equal(await typed(`${key}0001`), `"${maskOf(key)}0001"`);
  });

  it('is stored as it was typed if no access key is in it', async () => {
    assert.equal(await typed(' T-1 '), '"T-1"');
    assert.equal(await typed('9007199254740993'), '9007199254740993');
  });
});
