import assert from 'node:assert/strict';
import {
  type CompletionItem,
  type CompletionList,
  commands,
  languages,
  Range,
  SnippetString,
  type TextDocument,
  WorkspaceEdit,
  window,
  workspace,
} from 'vscode';
import { readDatasets } from '../../src/service/contract/dataset';
import { untilEvent } from './settled';
import { until } from './until';
import { setUserSetting } from './userSettings';

/** Marks the cursor position at which completions are requested. */
const CURSOR = '│';
const dataset = (contract: string) => `[{ "name": "A", "baseUrl": "https://a.example", "contract": ${contract} }]`;
const query = (part: string) => dataset(`{ "queryTask": ${part} }`);
const file = (part: string) => dataset(`{ "fileTask": ${part} }`);

describe('The datasets setting in settings.json', () => {
  let document: TextDocument;

  before(async () => {
    // In a browser, VS Code would save the invalid settings automatically, and the extension would show warnings about
    // them.
    await setUserSetting('files.autoSave', 'off');
    await commands.executeCommand('workbench.action.openApplicationSettingsJson');
    document = window.activeTextEditor?.document ?? assert.fail('no settings.json is open');
    assert.match(document.uri.path, /settings\.json$/);
  });

  after(async () => {
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await setUserSetting('files.autoSave', undefined);
  });

  it('offers only completions with valid values', async () => {
    for (const [what, label, datasets] of [
      ['a dataset', 'Dataset', `[${CURSOR}]`],
      ['a contract', 'contract', `[{ "name": "A", "baseUrl": "https://a.example", ${CURSOR} }]`],
      ...['paths', 'headers', 'fileTask', 'queryTask', 'codes'].map((group) => [group, group, dataset(`{${CURSOR}}`)]),
      ['a header', 'Header', dataset(`{ "headers": ${CURSOR} }`)],
      ['a form field', 'Form field', file(`{ "fields": ${CURSOR} }`)],
      ['a placeholder in a form field', `"\${sha256}"`, file(`{ "fields": { "a": "${CURSOR}" } }`)],
      ["the file's media type", '"text/plain; charset=utf-8"', file(`{ "mediaType": "${CURSOR}" }`)],
      ['the file name encoding', '"percent"', file(`{ "fileNameEncoding": "${CURSOR}" }`)],
      ['the task ID pointer', `"/items/\${each}/id"`, file(`{ "taskId": "${CURSOR}" }`)],
      ['the status pointer', `"/items/\${taskId}/status"`, query(`{ "status": ${CURSOR} }`)],
      ['the progress pointer', `"/progress"`, query(`{ "progress": ${CURSOR} }`)],
      ['the message pointer', `"/message"`, query(`{ "message": ${CURSOR} }`)],
      ['the query body', `{"taskId":"\${taskId:number}"}`, query(`{ "body": ${CURSOR} }`)],
      ['a status meaning', 'Status', query(`{ "statusMeanings": ${CURSOR} }`)],
      ['a code', '"401"', dataset(`{ "codes": { "badKey": [${CURSOR}] } }`)],
    ] as const) {
      const { items, offset } = await completionsIn(datasets ?? '');
      const item = items.find((each) => labelOf(each) === label);
      assert.ok(item, `${what}: only ${items.map(labelOf).join(', ')} at ${offset} of ${document.getText()}`);
      const text = withInserted(document, item, offset);
      assert.deepEqual(readDatasets(JSON.parse(text)['datasetImport.datasets']).faults, [], text);
    }
  });

  it('reports each mistake with a specific message', async () => {
    const mistakes = `[
      { "name": "Sandbox", "baseUrl": "https://me@a.example" },
      { "name": "A", "baseUrl": "https://a.example", "contract": {
        "paths": { "fileTask": "file task" },
        "headers": { "X Tenant": "a", "X-Line": "a\\nb" },
        "fileTask": {
          "filePart": "", "mediaType": "text", "fileNameEncoding": "latin1",
          "fields": { "title": "\${name}", "a\\\\": "b" }, "taskId": "taskId"
        },
        "queryTask": { "status": "/\${each}" }
      } }
    ]`;
    const expected = [
      "Enter a name. 'Sandbox' is reserved for the sandbox.",
      'Enter a URL such as https://import.example.com, without a user name, a password, ? or #.',
      'Enter a path that begins with / and contains no spaces or #.',
      'Enter a header name that consists of letters, digits and hyphens.',
      'A header cannot contain line breaks, control characters or characters beyond Latin-1.',
      'Enter the name of the form part. It cannot end with a backslash.',
      'Enter a media type such as text/plain, with or without parameters.',
      'Value is not accepted. Valid values: "utf8", "percent", "both".',
      /^Use only the placeholders \$\{fileName\}, /,
      'Enter the name of the form field. It cannot end with a backslash.',
      /^Enter a JSON Pointer such as \/taskId\. /,
      /^Enter a JSON Pointer such as \/status\. /,
    ];
    await write(mistakes);
    const messages = await untilDiagnosed(document, expected.length);
    assert.equal(messages.length, expected.length, messages.join('\n'));
    for (const [index, message] of messages.entries()) {
      const like = expected[index];
      if (like instanceof RegExp) assert.match(message, like);
      else assert.equal(message, like);
    }
  });

  async function write(datasets: string): Promise<void> {
    const text = `{ "datasetImport.datasets": ${datasets} }`;
    const replacing = () => {
      const edit = new WorkspaceEdit();
      edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
      return edit;
    };
    // Retry, because an edit fails if VS Code has just reloaded the file.
    await until('the edit to be applied', async () => {
      document = await workspace.openTextDocument(document.uri);
      return await workspace.applyEdit(replacing());
    });
    document = await workspace.openTextDocument(document.uri);
    assert.equal(document.getText(), text);
  }

  async function completionsIn(datasets: string): Promise<{ items: readonly CompletionItem[]; offset: number }> {
    await write(datasets.replace(CURSOR, ''));
    const offset = document.getText().indexOf(datasets.split(CURSOR)[0] ?? '') + datasets.indexOf(CURSOR);
    const { items } = await commands.executeCommand<CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      document.positionAt(offset),
      undefined,
      100,
    );
    return { items, offset };
  }
});

function labelOf({ label }: CompletionItem): string {
  return typeof label === 'string' ? label : label.label;
}

/** The document's text after a completion is accepted with all its suggested values. */
function withInserted(document: TextDocument, item: CompletionItem, offset: number): string {
  const { insertText = labelOf(item), range } = item;
  const inserted =
    insertText instanceof SnippetString
      ? insertText.value
          .replaceAll(/(?<!\\)\$\{\d+\|([^,|]*)[^|]*\|\}/g, '$1')
          .replaceAll(/(?<!\\)\$\{\d+:([^}]*)\}/g, '$1')
          .replaceAll(/(?<!\\)\$\d/g, '')
          .replaceAll(/\\([$}\\])/g, '$1')
      : insertText;
  const replaced = range instanceof Range ? range : range?.replacing;
  const [start, end] = replaced ? [replaced.start, replaced.end].map((at) => document.offsetAt(at)) : [offset, offset];
  const text = document.getText();
  return text.slice(0, start) + inserted + text.slice(end);
}

/** Waits until the document has at least this many diagnostics. Returns their messages, sorted by position. */
async function untilDiagnosed({ uri }: TextDocument, count: number): Promise<string[]> {
  const found = () => languages.getDiagnostics(uri);
  await untilEvent(languages.onDidChangeDiagnostics, () => found().length >= count);
  return found()
    .toSorted((one, other) => one.range.start.compareTo(other.range.start))
    .map(({ message }) => message);
}
