import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Uri, workspace } from 'vscode';
import { importFile } from '../../../../src/editor/importing/importFile';
import { type PreviewDeps, previewImport } from '../../../../src/editor/requests/previewImport';
import type { RequestPreview } from '../../../../src/editor/requests/requestPreviews';
import { activated } from '../../activated';
import { WorkspaceFiles } from '../../workspaceFiles';

describe('The preview of an import', () => {
  it('has the path that the import sends, for a file of the workspace and for one from elsewhere', async () => {
    const parts = await activated();
    const files = new WorkspaceFiles('previewed');
    const elsewhere = mkdtempSync(join(dirname(workspace.workspaceFolders?.[0]?.uri.fsPath ?? ''), 'di-preview-'));
    writeFileSync(join(elsewhere, 'b.txt'), 'b');
    const dataset = await parts.sandbox.start();
    await parts.datasets.override(dataset, ['fileTask', 'fields', 'path'], '${relativePath}');
    const shown: [name: string, text: string][] = [];
    const previews = {
      show: async (name: string, { text }: RequestPreview) => {
        shown.push([name, text]);
      },
    };
    const deps = { ...parts, previews } as unknown as PreviewDeps;
    await previewImport(deps, files.write('a.txt', 'a'));
    await previewImport(deps, Uri.file(join(elsewhere, 'b.txt')));
    await parts.sandbox.stop();
    files.remove();
    rmSync(elsewhere, { recursive: true });
    assert.deepEqual(
      shown.map(([name, text]) => [name, /name="path"\r?\n\r?\n(.*?)\r?\n/.exec(text)?.[1]]),
      [
        ['previewed/a.txt (import request)', 'previewed/a.txt'],
        ['b.txt (import request)', 'b.txt'],
      ],
    );
  });

  it('is itself no file to import, and neither are the other documents to be read', async () => {
    const parts = await activated();
    for (const scheme of ['dataset-import-preview', 'dataset-import-answer', 'dataset-import-sandbox', 'output']) {
      const uri = Uri.from({ scheme, path: '/a.txt' });
      await assert.rejects(
        importFile(parts, uri, undefined),
        /^UserError: 'a\.txt' is shown by an extension and is no file\. Save it as one to import it\.$/,
      );
    }
  });
});
