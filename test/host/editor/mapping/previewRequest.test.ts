import assert from 'node:assert/strict';
import { commands, env, Position, type Uri, WorkspaceEdit, window, workspace } from 'vscode';
import { previewRequest, previewText } from '../../../../src/editor/mapping/previewRequest';
import type { Services } from '../../../../src/editor/services';
import { typedTaskId } from '../../../../src/service/json/taskId';
import { activated, type Engine } from '../../activated';
import { closeEditors } from '../../settled';
import { until } from '../../until';
import { WorkspaceFiles } from '../../workspaceFiles';

describe('Preview Request…', () => {
  const files = new WorkspaceFiles('previewed');
  let engine: Engine;
  let file: number;

  before(async () => {
    engine = await activated();
    const { name } = await engine.sandbox.start();
    await engine.keys.get(engine.datasets.find(name) ?? assert.fail());
    const destination = { dataset: name, origin: engine.datasets.find(name)?.baseUrl.origin ?? '' };
    const id = typedTaskId('9007199254740993123', 'number');
    file = await engine.store.track({ destination, id, name: '' });
  });

  afterEach(closeEditors);

  after(async () => {
    await engine.store.remove({ files: [file] });
    await engine.sandbox.stop();
    files.remove();
  });

  it("shows a file's import request and its task's status check, without the access key", async () => {
    const uri = files.write('a.txt', 'saved');
    const edit = new WorkspaceEdit();
    edit.insert(uri, new Position(0, 0), 'unsaved');
    await workspace.applyEdit(edit);
    const text = await preview(uri);
    assert.match(text, /^### Import\n\nPOST \/openapi\/open\/v1\/file-task HTTP\/1\.1\n/);
    assert.match(text, /\n\nsaved\n/);
    assert.match(text, /### Status Check\n\nPOST [\s\S]*\n\n\{"taskId":9007199254740993123\}\n$/);
    const accessKey = await engine.keys.get(engine.datasets.find('Sandbox') ?? assert.fail());
    assert.ok(accessKey !== undefined && !text.includes(accessKey));
    assert.equal(text.match(/^Access-Key: ••••••••$/gm)?.length, 2);
  });

  it('shows the name and relative path that are sent for a row', async () => {
    const sandbox = engine.datasets.find('Sandbox') ?? assert.fail();
    const fileTask = { ...sandbox.contract.fileTask, fields: { at: '${relativePath}' } };
    const datasets = { find: () => ({ ...sandbox, contract: { ...sandbox.contract, fileTask } }) };
    let query = '';
    const show = async (_name: string, uri: { query: string }) => {
      query = uri.query;
    };
    const previews = { show };
    const services = { datasets, previews } as unknown as Services;
    const { fsPath } = files.write('2024-01.txt', 'x');
    const [row = assert.fail()] = await engine.store.rowsAfter({ filter: { files: [file] }, after: 0, limit: 1 });
    await previewRequest(services, { ...row, path: fsPath, name: 'latest.txt', relativePath: 'in/latest.txt' });
    const text = await previewText(services, { query } as Uri);
    assert.match(text, /name="at"\n\nin\/latest\.txt\n[\s\S]*filename="latest\.txt"/);
  });

  it("shows only the status check if the task's file is missing", async () => {
    assert.match(await preview({ file }), /^### Status Check\n/);
  });

  it('lets the user copy a request as a curl command', async () => {
    const uri = files.write('b.txt', 'b');
    await preview(uri);
    const copied = commands.executeCommand('datasetImport.copyAsCurl');
    await until('the command to be copied', async () => {
      await commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return (await env.clipboard.readText()).includes(uri.fsPath);
    });
    await copied;
    assert.match(await env.clipboard.readText(), /^curl [\s\S]*Access-Key: \$ACCESS_KEY/);
  });

  it('updates an open preview when the settings of the dataset change', async () => {
    await preview({ file });
    const { document } = window.activeTextEditor ?? assert.fail();
    const sandbox = engine.datasets.find('Sandbox') ?? assert.fail();
    await engine.datasets.override(sandbox, ['headers'], { 'X-Tenant': '42' });
    await until('the new header', () => document.getText().includes('X-Tenant: 42'));
  });

  async function preview(target: Uri | { file: number }): Promise<string> {
    await commands.executeCommand('datasetImport.previewRequest', target);
    const { document } = window.activeTextEditor ?? assert.fail('no editor shows a preview');
    assert.equal(document.uri.scheme, 'dataset-import-preview');
    return document.getText();
  }
});
