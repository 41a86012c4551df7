import assert from 'node:assert/strict';
import { Announcements } from '../../../../src/editor/announcing/announcements';
import { MemoryMemento } from '../../memoryStorage';

describe('What is announced', () => {
  let said: string[];
  let memory: MemoryMemento;

  beforeEach(() => {
    said = [];
    memory = new MemoryMemento();
  });

  it('is shown as a message for the first imports of a user only, whatever window they are made in', async () => {
    for (const file of ['a', 'b']) await announcements().imported(file);
    for (const file of ['c', 'd']) await announcements().imported(file);
    assert.deepEqual(said, ['done a', 'logged a', 'done b', 'logged b', 'done c', 'logged c', 'logged d']);
  });

  it('is in the status bar alone where a message will follow', () => {
    announcements().inStatusBar('uploaded');
    assert.deepEqual(said, ['logged uploaded']);
  });

  it('is every end and every problem', async () => {
    await announcements().done('the end');
    await announcements().problem('a problem');
    assert.deepEqual(said, ['done the end', 'warn a problem']);
  });

  function announcements(): Announcements {
    const say = (how: string) => async (text: string) => void said.push(`${how} ${text}`);
    const messages = { done: say('done'), warn: say('warn'), note: (text: string) => void said.push(`logged ${text}`) };
    return new Announcements(messages, memory);
  }
});
