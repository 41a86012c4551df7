import assert from 'node:assert/strict';
import { workspace } from 'vscode';
import { GeneratedDocuments } from '../../../../src/editor/platform/documents';
import { closeEditors, untilText } from '../../settled';

describe('A generated document', () => {
  afterEach(closeEditors);

  it('is refreshed only if its URI matches the filter passed to refresh()', async () => {
    let edition = 1;
    const documents = new GeneratedDocuments('dataset-import-test', async ({ path }) => `${path} ${edition}`);
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
});
