import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Uri, workspace } from 'vscode';
import {
  type PreviewServices,
  previewImport,
  previewQuery,
  type RequestPreview,
} from '../../../../src/editor/requests/previewImport';
import { clicked } from '../../../../src/editor/targets';
import { activated } from '../../activated';
import { answered, ownList } from '../../answeredTasks';
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
    const deps = { ...parts, previews } as unknown as PreviewServices;
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
});

describe('The preview of a query', () => {
  it('says that an ID is sent as text where the body asks for a number and it is none', async () => {
    const parts = await activated();
    const own = ownList();
    const dataset = await parts.sandbox.start();
    const begun = (id: string) => answered({ dataset: dataset.name, begun: `{"taskId":${id}}` });
    const ids = ['7', '"7"', '"job-7"'];
    const tasks = await own.list.add(ids.map(begun));
    const body = { id: '${taskId:number}' };
    await parts.datasets.override(dataset, ['queryTask', 'body'], body);
    const shown: string[] = [];
    const previews = {
      show: async (_name: string, { text }: RequestPreview) => {
        shown.push(text);
      },
    };
    const deps = { ...parts, list: own.list, previews } as unknown as PreviewServices;
    for (const { key } of tasks) await previewQuery(deps, clicked({ taskKey: key }));
    await parts.sandbox.stop();
    own.dispose();
    assert.deepEqual(
      shown.map((text) => [text.split('\n')[0]?.replace(/^POST .*/, 'POST'), text.split('\n').at(-1)]),
      [
        ['POST', '{"id":7}'],
        ['POST', '{"id":7}'],
        ["The task ID 'job-7' is not a number, so ${taskId:number} is sent as text.", '{"id":"job-7"}'],
      ],
    );
  });
});
