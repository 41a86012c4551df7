import assert from 'node:assert/strict';
import { taskIdText } from '../../src/service/json/taskId';
import { keptResponse, onRequest } from '../unit/service/keptConnections';
import { RawServer } from '../unit/service/rawServer';
import { accepted } from '../unit/service/responses';
import { TemporaryFiles } from '../unit/service/temporaryFiles';
import { target, unwatched, wire } from '../unit/service/wire';

const FILES = 60;
const DELAYS_MS = [0, 1, 2, 5, 10, 20, 30];

describe('A proxy that sends each response twice', () => {
  for (const delayMs of DELAYS_MS) {
    it(`the second time after ${delayMs} ms, leads to no second upload, and to no ID that the proxy had not sent`, async () => {
      let responses = 0;
      await using server = await RawServer.start(
        onRequest((socket) => {
          const response = keptResponse(accepted(++responses));
          socket.write(response);
          setTimeout(() => socket.write(response), delayMs);
        }),
      );
      await using files = await TemporaryFiles.make();
      const service = wire();
      const ids: string[] = [];
      for (let index = 0; index < FILES; index++) {
        const file = await files.write(`${index}.txt`, 'All work and no play. '.repeat(1 + (index % 7) * 2000));
        const outcome = await service.fileTask(target(server.url), file, unwatched());
        assert.ok(outcome.kind === 'accepted' && outcome.value.taskId !== undefined, outcome.kind);
        ids.push(taskIdText(outcome.value.taskId));
      }
      assert.ok(responses <= FILES, `${responses} whole requests arrived`);
      // A duplicate that arrives after the first byte of the next file is taken for its response, and ends its upload. The
      // sender finds another file's ID in it.
      for (const [index, id] of ids.entries()) {
        assert.ok(id === `T${index + 1}` || ids.slice(0, index).includes(id), `file ${index + 1} has ${id}`);
      }
    });
  }
});
