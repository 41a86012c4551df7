import { env, l10n, Uri, window as vscodeWindow } from 'vscode';
import { FileBody } from '../../service/content/fileBody';
import type { Dataset } from '../../service/contract/dataset';
import { type TaskId, typedTaskId } from '../../service/json/taskId';
import { KEY_MASK } from '../../service/masking/mask';
import { curlFileTask, curlJson } from '../../service/request/curl';
import { previewFileTask, previewJson } from '../../service/request/preview';
import { fileFacts, fileTaskRequest, queryTaskRequest } from '../../service/request/requests';
import type { FileRow } from '../../tasks/store/model';
import { chooseDataset } from '../datasets/chooseDataset';
import { datasetAt, datasetNamed } from '../datasets/findDataset';
import { activeDocument } from '../importing/editors';
import { exists, pathInWorkspace } from '../importing/filePaths';
import { dialogTitle, UserError } from '../platform/actions';
import { documentPath } from '../platform/outsideText';
import { window } from '../platform/window';
import type { Services } from '../services';
import { rowLabel } from '../wording/states';
import { newestTaskId } from './responses';

/** What a preview shows. Stored as JSON in the query part of the preview's URI. */
interface Previewed {
  readonly dataset: string;
  /** Absent if the task has no file. By default, the file is sent under its name on disk. */
  readonly file?: { readonly path: string; readonly name?: string; readonly relativePath: string } | undefined;
  readonly taskId?: TaskId | undefined;
}

/** Max bytes of a file to show in a preview. */
const SHOWN_BYTES = 2048;

/** Shows the requests that import a file and check the status of its task, without sending them. */
export async function previewRequest(services: Services, of: Uri | FileRow | undefined): Promise<void> {
  const show = (name: string, previewed: Previewed) =>
    services.previews.show(documentPath(l10n.t('{0} (request)', name)), { query: JSON.stringify(previewed) });
  if (of !== undefined && 'import' in of) {
    const { path, name, relativePath, textFile, tasks } = of;
    const isOnDisk = path !== null && textFile === null && (await exists(Uri.file(path)));
    const file = isOnDisk ? { path, name, relativePath } : undefined;
    return show(rowLabel(of), { dataset: datasetAt(services, of).name, file, taskId: tasks[0]?.id });
  }
  const title = dialogTitle('previewRequest');
  const active = activeDocument();
  const open = active?.scheme === 'file' ? active : undefined;
  const uri = of ?? open ?? (await vscodeWindow.showOpenDialog({ title, openLabel: l10n.t('Select') }))?.[0];
  if (uri === undefined) return;
  const name = pathInWorkspace(uri);
  if (uri.scheme !== 'file')
    throw new UserError(l10n.t("'{0}' is not a file on disk. Save it as a file to see its request.", name));
  const dataset = await chooseDataset(services, undefined, title);
  if (dataset === undefined) return;
  const file = { path: uri.fsPath, relativePath: name };
  await show(name, { dataset: dataset.name, file, taskId: await newestTaskId(services, dataset) });
}

/** Generates the text of a preview. */
export async function previewText(services: Services, uri: Uri): Promise<string> {
  return (await requestsAt(services, uri)).map(({ label, text }) => `### ${label}\n\n${text}\n`).join('\n\n');
}

/** Copies a request from the active editor's preview as a curl command. */
export async function copyAsCurl(services: Services): Promise<void> {
  const uri = vscodeWindow.activeTextEditor?.document.uri;
  if (uri?.scheme !== services.previews.scheme) return;
  const placeHolder = l10n.t('Select the request to copy');
  const picked = await services.picks.one(await requestsAt(services, uri), { placeHolder });
  if (picked === undefined) return;
  await env.clipboard.writeText(picked.curl);
  window.setStatusBarMessage(l10n.t('Copied. Set ACCESS_KEY in your shell before you run the command.'), 5000);
}

/** Creates the requests that a preview shows, without the access key. */
async function requestsAt(services: Services, { query }: Uri) {
  const { dataset: name, file, taskId } = JSON.parse(query) as Previewed;
  const dataset = datasetNamed(services, name);
  const id = taskId ?? typedTaskId(l10n.t('<task ID>'), 'string');
  const request = queryTaskRequest({ ...dataset, accessKey: KEY_MASK }, id);
  const check = { label: l10n.t('Status Check'), text: previewJson(request), curl: curlJson(request) };
  return file === undefined ? [check] : [await importRequest(dataset, file), check];
}

async function importRequest(dataset: Dataset, { path, name, relativePath }: NonNullable<Previewed['file']>) {
  const target = { ...dataset, accessKey: KEY_MASK };
  await using file = await FileBody.open(path, name);
  const facts = await fileFacts(dataset.contract, file, relativePath);
  const formatRest = (bytes: number) => l10n.t('… (bytes not shown: {0})', bytes);
  const text = await previewFileTask(target, file, facts, SHOWN_BYTES, formatRest);
  return { label: l10n.t('Import'), text, curl: curlFileTask(fileTaskRequest(target, file, facts), path) };
}
