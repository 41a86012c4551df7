import assert from 'node:assert/strict';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { keptResponse, onRequest } from '../keptConnections';
import { outcomeText } from '../operations';
import { RawServer } from '../rawServer';
import { TemporaryFiles } from '../temporaryFiles';
import { target, unwatched, wire } from '../wire';

const SUCCEEDED = '{"code":"0","message":null,"data":{"status":"SUCCESS"}}';

describe('Twenty responses with the same text', () => {
  const reports: Readonly<Record<string, readonly [report: string, end: string]>> = {
    'reports of running tasks': [SUCCEEDED.replace('SUCCESS', 'RUNNING'), 'accepted'],
    rejections: ['{"code":"404","message":"no such task","data":null}', 'rejected: 200, code 404: no such task'],
  };
  for (const [what, [report, end]] of Object.entries(reports)) {
    it(`cost one request each over one kept connection if they are ${what}`, async () => {
      let requests = 0;
      await using server = await RawServer.start(
        onRequest((socket) => {
          requests += 1;
          socket.write(keptResponse(report));
        }),
      );
      const service = wire({}, { maxIdleMs: 60_000 });
      for (let count = 1; count <= 20; count++) {
        const outcome = await service.queryTask(target(server.url), typedTaskId(`T${count}`, 'string'), unwatched());
        assert.equal(outcomeText(outcome), end);
      }
      assert.deepEqual([requests, server.peers.length], [20, 1]);
    });
  }

  it('are all believed if they accept imports without an id', async () => {
    let requests = 0;
    await using server = await RawServer.start(
      onRequest((socket) => {
        requests += 1;
        socket.write(keptResponse(SUCCEEDED));
      }),
    );
    await using files = await TemporaryFiles.make();
    const service = wire();
    for (let count = 1; count <= 20; count++) {
      const file = await files.write(`${count}.txt`, `${count}`);
      assert.equal(outcomeText(await service.fileTask(target(server.url), file, unwatched())), 'accepted');
    }
    assert.equal(requests, 20);
  });
});
