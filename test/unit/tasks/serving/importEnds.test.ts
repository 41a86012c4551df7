import assert from 'node:assert/strict';
import { type Contract, DEFAULT_CONTRACT } from '../../../../src/service/contract/contract';
import { RawServer } from '../../service/rawServer';
import { answering, response } from '../../service/responses';
import { target } from '../../service/wire';
import { editorWindow, filesOf } from '../editorWindow';
import { TemporaryStore } from '../temporaryStore';
import { until } from '../until';

const chosen: Contract = { ...DEFAULT_CONTRACT, fileTask: { ...DEFAULT_CONTRACT.fileTask, taskId: '/receipt' } };

describe('The id of an import that was under way as a person chose where ids are', () => {
  for (const [where, data, from] of [
    ['is taken from there', '{"id":"D1","receipt":9007199254740993123}', 'mapped'],
    ['is none where none is there', '{"id":"D1"}', undefined],
  ] as const) {
    it(where, async () => {
      let contract = DEFAULT_CONTRACT;
      await using store = await TemporaryStore.make();
      await using server = await RawServer.start(async (peer, count) => {
        await peer.readRequest();
        contract = chosen;
        await answering(response('200 OK', `{"code":"0","message":null,"data":${data}}`))(peer, count);
      });
      using window = editorWindow(store.list(), server.url, {
        findTarget: async () => target(server.url, contract),
        contractOf: () => contract,
      });
      await window.queue.add(await filesOf(store, 'a.txt'), 'Books');
      await until(() => window.queue.progress === undefined);
      const [task] = await store.read();
      assert.equal(task?.phase.kind, 'accepted');
      assert.deepEqual(
        [task?.taskId, task?.taskIdFrom?.how],
        [from === undefined ? undefined : '9007199254740993123', from],
      );
    });
  }
});
