import assert from 'node:assert/strict';
import { commands, Selection, Uri, window } from 'vscode';
import { importDropped, importFile, importSelection } from '../../../../src/editor/importing/importFile';
import { type PreviewServices, previewRequest } from '../../../../src/editor/requests/previewRequest';
import { activated, type Parts } from '../../activated';
import { answered } from '../../answeredTasks';
import { answering, closeEditors } from '../../settled';

describe('A page of ours', () => {
  const refused =
    /^UserError: 'notes\.txt \(details\)' is a page of Dataset Import, not a file\. To import a file, open it first\.$/;
  let parts: Parts;
  let key: number;
  let page: Uri;

  before(async () => {
    parts = await activated();
    const [task] = await parts.list.add([answered({ dataset: 'Manuals', begun: '{"taskId":"t-1"}' })]);
    key = task?.key ?? assert.fail();
    await commands.executeCommand('datasetImport.showDetails', { taskKey: key });
    const editor = window.activeTextEditor ?? assert.fail('no details are in the active editor');
    page = editor.document.uri;
    editor.selection = new Selection(0, 0, 1, 0);
  });

  after(async () => {
    await closeEditors();
    await parts.list.remove([key]);
  });

  it('is not imported, be it in a menu, selected in part, or dropped; in the active editor, another file is asked for', async () => {
    const tracked = parts.list.held.length;
    const file = Uri.file('/files/notes.txt');
    await answering(importFile(parts, []), 'cancel');
    await assert.rejects(importFile(parts, [page]), refused);
    await assert.rejects(importFile(parts, [file, page]), refused);
    await assert.rejects(importSelection(parts), refused);
    await assert.rejects(importDropped(parts, { uris: [page], texts: [], bad: [] }), refused);
    assert.equal(parts.list.held.length, tracked);
  });

  it('has no request to preview: another file is asked for', async () => {
    const previews = { show: () => assert.fail('a page of ours is previewed') };
    const services = { ...parts, previews } as unknown as PreviewServices;
    await answering(previewRequest(services, undefined), 'cancel');
    await assert.rejects(
      previewRequest(services, page),
      /^UserError: 'notes\.txt \(details\)' is not a file on disk\./,
    );
  });

  it('is told by its scheme, and other documents that are generated are no files either', async () => {
    for (const scheme of ['dataset-import-preview', 'dataset-import-task'])
      await assert.rejects(importFile(parts, [Uri.from({ scheme, path: '/a.txt' })]), /'a\.txt' is a page of/);
    await assert.rejects(
      importFile(parts, [Uri.from({ scheme: 'output', path: '/a.txt' })]),
      /^UserError: 'a\.txt' is not a file\. Save it as a file to import it\.$/,
    );
  });
});
