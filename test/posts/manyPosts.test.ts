import assert from 'node:assert/strict';
import { join } from 'node:path';
import { textBody } from '../../src/service/content/sourceBody';
import type { ImportService } from '../../src/service/importService';
import { mapWithConcurrency } from '../../src/tasks/timing/mapWithConcurrency';
import { type ForkedService, forkService } from '../unit/service/forkedService';
import { target, unwatched, wire } from '../unit/service/wire';
import type { Arrived } from './postServer';

/** The number of files that each test uploads. */
const count = Number(process.env['POSTS'] ?? 500);
const atOnce = [1, 8, 16];
/** Simulate a new window after this many files. */
const filesPerWindow = 100;

/** Uploads files, and counts the outcomes by kind. */
async function importMany(port: number, concurrency: number): Promise<Record<string, number>> {
  const services = new Map<number, ImportService>();
  const serviceFor = (number: number) => {
    const window = Math.floor(number / filesPerWindow);
    const service = services.get(window) ?? wire();
    services.set(window, service);
    return service;
  };
  const dataset = target(new URL(`http://127.0.0.1:${port}`));
  const ends: Record<string, number> = { accepted: 0, unconfirmed: 0 };
  const numbers = Array.from({ length: count }, (_, number) => number);
  await mapWithConcurrency(numbers, concurrency, async (number) => {
    const name = `${number}.txt`;
    const source = { relativePath: name, open: async () => textBody(name, Buffer.from(`text of ${name}\n`)) };
    const { kind } = await serviceFor(number).fileTask(dataset, source, unwatched());
    ends[kind] = (ends[kind] ?? 0) + 1;
  });
  return ends;
}

describe(`When ${count} files are uploaded`, () => {
  for (const concurrency of atOnce) {
    for (const every of [1, 7]) {
      const closing = `closes connections without notice after ${every === 1 ? 'each response' : `every ${every} responses`}`;
      it(`${concurrency} at a time, no file arrives twice, even if the server ${closing}`, async () => {
        await using server = await forkService<Arrived>(join(__dirname, 'postServer.js'), String(every));
        const ends = await importMany(server.port, concurrency);
        await assertNoneTwice(ends, server);
      });
    }
  }
});

/**
 * Asserts that no file arrived twice, and that there were no more unconfirmed uploads than connections closed without
 * notice.
 */
async function assertNoneTwice(ends: Record<string, number>, server: ForkedService<Arrived>): Promise<void> {
  const { accepted = 0, unconfirmed = 0, ...others } = ends;
  const { files, doubled, closes } = await server.counted();
  console.log(`      ${unconfirmed} unconfirmed, ${closes} closes`);
  assert.deepEqual(others, {});
  assert.equal(accepted + unconfirmed, count);
  assert.equal(doubled, 0);
  assert.ok(files >= accepted && files <= count, `${files} arrived, ${accepted} were accepted`);
  assert.ok(unconfirmed <= closes, `${unconfirmed} unconfirmed, ${closes} closes`);
}
