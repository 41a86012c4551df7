import assert from 'node:assert/strict';
import { Uri, workspace } from 'vscode';
import { GeneratedDocuments } from '../../../../src/editor/platform/documents';
import { closeEditors, untilText } from '../../settled';

describe('Documents to be read', () => {
  afterEach(closeEditors);

  it('are made again where they are meant, and no other of their kind', async () => {
    let edition = 1;
    const documents = new GeneratedDocuments('dataset-import-test', async () => {});
    documents.provide(({ path }) => `${path} ${edition}`);
    await documents.show('/a.txt');
    await documents.show('/b.txt');
    await untilText('dataset-import-test', (text) => text.startsWith('/b.txt'));
    edition = 2;
    documents.refresh(({ path }) => path === '/b.txt');
    await untilText('dataset-import-test', (text) => text === '/b.txt 2');
    const other = workspace.textDocuments.find(
      ({ uri }) => uri.scheme === 'dataset-import-test' && uri.path === '/a.txt',
    );
    assert.equal(other?.getText(), '/a.txt 1');
    documents.dispose();
  });

  it('wait for what generates them, where VS Code asks for them before it is loaded', async () => {
    for (const readOnlyMessage of [undefined, 'It cannot be edited.']) {
      const load = async () => documents.provide(({ path }) => `late ${path}`);
      const documents: GeneratedDocuments = new GeneratedDocuments('dataset-import-late', load, readOnlyMessage);
      assert.equal(await restored('dataset-import-late', `${readOnlyMessage}`), 'late /kept.json');
      documents.dispose();
    }
  });

  /** What VS Code shows in a tab that it has kept from before. */
  async function restored(scheme: string, query: string): Promise<string> {
    return (await workspace.openTextDocument(Uri.from({ scheme, path: '/kept.json', query }))).getText();
  }
});
