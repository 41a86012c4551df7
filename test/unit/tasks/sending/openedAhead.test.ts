import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type SourceBody, textBody } from '../../../../src/service/content/sourceBody';
import { OpenedAhead } from '../../../../src/tasks/sending/openedAhead';
import { Sources } from '../../../../src/tasks/sending/sources';
import type { Source } from '../../../../src/tasks/trackedTask';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { HandClock } from '../handClock';
import { until } from '../until';

const source: Source = { from: 'disk', path: '/a.txt', relativePath: 'a.txt', name: 'a.txt', sizeBytes: 1 };

/** Opens and closes bodies, and tells which are open. */
function countingSources() {
  const open = new Set<SourceBody>();
  let opened = 0;
  return {
    open: async () => {
      opened += 1;
      const body: SourceBody = { ...textBody('a.txt', Buffer.from('a')), close: async () => void open.delete(body) };
      open.add(body);
      return body;
    },
    get counts() {
      return { opened, open: open.size };
    },
  };
}

describe('A source that was opened ahead', () => {
  it('is given to its import, and opened once', async () => {
    const sources = countingSources();
    const ahead = new OpenedAhead(sources, new HandClock());
    ahead.prepare(1, source);
    ahead.prepare(1, source);
    await ahead.open(source, 1);
    assert.deepEqual(sources.counts, { opened: 1, open: 1 });
    await ahead.open(source, 1);
    assert.deepEqual(sources.counts, { opened: 2, open: 2 });
  });

  it('is closed where its import does not come within a second, and opened anew', async () => {
    const sources = countingSources();
    const clock = new HandClock();
    const ahead = new OpenedAhead(sources, clock);
    ahead.prepare(1, source);
    clock.advance(1000);
    await until(() => sources.counts.open === 0);
    await ahead.open(source, 1);
    assert.deepEqual(sources.counts, { opened: 2, open: 1 });
  });

  it('is not closed once its import has it', async () => {
    const sources = countingSources();
    const clock = new HandClock();
    const ahead = new OpenedAhead(sources, clock);
    ahead.prepare(1, source);
    await ahead.open(source, 1);
    clock.advance(1000);
    ahead.prepare(2, source);
    clock.advance(1000);
    await until(() => sources.counts.open === 1);
    assert.deepEqual(sources.counts, { opened: 2, open: 1 });
  });

  it('is closed where no import is to come', async () => {
    const sources = countingSources();
    const clock = new HandClock();
    const ahead = new OpenedAhead(sources, clock);
    ahead.prepare(1, source);
    ahead.close();
    await until(() => sources.counts.open === 0);
    assert.equal(clock.alarms, 0);
  });

  it('and is missing is told to its import alone', async () => {
    await using files = await TemporaryFiles.make();
    const ahead = new OpenedAhead(new Sources(''), new HandClock());
    const missing = { ...source, path: files.at('a.txt').path };
    ahead.prepare(1, missing);
    await assert.rejects(ahead.open(missing, 1), { name: 'SourceError', reason: 'missing' });
  });

  it('is another file by then, where one took its place more than a second ago', async () => {
    await using files = await TemporaryFiles.make();
    const { path } = await files.write('a.txt', 'old');
    const clock = new HandClock();
    const ahead = new OpenedAhead(new Sources(''), clock);
    ahead.prepare(1, { ...source, path });
    renameSync((await files.write('b.txt', 'new')).path, path);
    clock.advance(1000);
    const body = await ahead.open({ ...source, path }, 1);
    assert.equal(await text(body.chunks()), 'new');
    await body.close();
  });
});
