import assert from 'node:assert/strict';
import { response } from '../service/responses';
import { ImportWindow } from './importWindow';
import { afterRequest, says } from './script';

describe('A service that derives the task ID from the content', () => {
  /** Imports these contents one after the other; the response has the ID that `idOf` returns. How each import ended. */
  async function ends(contents: readonly string[], idOf: (body: string) => unknown): Promise<string[]> {
    const script = afterRequest(async (peer) => {
      const taskId = idOf(peer.request.body.toString());
      const body = JSON.stringify({ code: '0', message: null, data: { taskId } });
      await says(response('200 OK', body))(peer);
    });
    await using window = await ImportWindow.open({ script });
    for (const [index, content] of contents.entries()) await window.import(await window.check(`${index}.txt`, content));
    assert.equal(window.posts, contents.length);
    assert.equal(window.pauseMs, 0);
    return window.stored.map(({ phase }) => phase.kind);
  }

  const byContent = (body: string) => /\r\n\r\n(\w+)\r\n/.exec(body)?.[1] ?? 'none';

  it('accepts the same content twice in a row, without a pause', async () => {
    assert.deepEqual(await ends(['same', 'same', 'other'], byContent), ['accepted', 'accepted', 'accepted']);
  });

  it('accepts the same content again after other files', async () => {
    const contents = ['same', 'other', 'third', 'same', 'other'];
    assert.deepEqual(
      await ends(contents, byContent),
      contents.map(() => 'accepted'),
    );
  });

  it('accepts the same content again if its IDs are numbers', async () => {
    assert.deepEqual(await ends(['same', 'same'], () => 7), ['accepted', 'accepted']);
  });

  it('leaves an import unconfirmed if its ID is that of other content, and goes on without a pause', async () => {
    const idOf = (body: string) => (body.includes('third') ? 'T3' : 'T1');
    assert.deepEqual(await ends(['first', 'second', 'third'], idOf), ['accepted', 'unconfirmed', 'accepted']);
  });
});
