import assert from 'node:assert/strict';
import { taskIdText } from '../../src/service/json/taskId';
import { keptResponse, onRequest } from '../unit/service/keptConnections';
import { RawServer } from '../unit/service/rawServer';
import { accepted } from '../unit/service/responses';
import { TemporaryFiles } from '../unit/service/temporaryFiles';
import { target, unwatched, wire } from '../unit/service/wire';

const FILES = 60;
const DELAYS_MS = [0, 1, 2, 5, 10, 20, 30];

describe('If a proxy sends each response twice', () => {
  for (const delayMs of DELAYS_MS) {
    it(`${delayMs} ms apart, no file is sent twice, and a file that gets another file's task ID is reported`, async () => {
      const given = new Map<string, string>();
      await using server = await RawServer.start(
        onRequest((socket, request) => {
          const name = /; filename="(.+?)"/.exec(request)?.[1] ?? '';
          assert.ok(!given.has(name));
          given.set(name, `T${given.size + 1}`);
          const response = keptResponse(accepted(given.size));
          socket.write(response);
          setTimeout(() => socket.write(response), delayMs);
        }),
      );
      await using files = await TemporaryFiles.make();
      const service = wire();
      const known = new Set<string>();
      for (let index = 0; index < FILES; index++) {
        const file = await files.write(`${index}.txt`, 'All work and no play. '.repeat(1 + (index % 7) * 2000));
        const outcome = await service.fileTask(target(server.url), file, unwatched());
        assert.ok(outcome.kind === 'accepted' && outcome.value.ids[0] !== undefined, outcome.kind);
        const id = taskIdText(outcome.value.ids[0]);
        // A duplicate response that arrives during the next upload looks like the response to that upload. When a
        // repeated task ID shows that this has happened, stop trusting the connections, as the extension does.
        if (known.has(id)) service.distrustConnections();
        else assert.equal(id, given.get(`${index}.txt`));
        known.add(id);
      }
    });
  }
});
