import path from 'node:path';
import { env, l10n, Uri, window as vscodeWindow } from 'vscode';
import { FileBody } from '../../service/content/fileBody';
import { KEY_MASK } from '../../service/contract/accessKey';
import type { Dataset } from '../../service/contract/dataset';
import { placeholdersIn } from '../../service/contract/template';
import { SourceError } from '../../service/errors';
import { numericTaskId, type TaskId, taskIdText } from '../../service/json/taskId';
import { curlFileTask, curlJson } from '../../service/request/curl';
import { fileFacts } from '../../service/request/fileFacts';
import { previewFileTask, previewJson } from '../../service/request/preview';
import { fileTaskRequest, queryTaskRequest } from '../../service/request/requests';
import { idsToAsk } from '../../tasks/severalTasks';
import { pathInWorkspace } from '../collecting/filePaths';
import { chosenFiles, confirmUnsaved, pickFileFor } from '../collecting/filesToImport';
import { chooseDataset } from '../datasets/chooseDataset';
import { datasetAt } from '../datasets/findDataset';
import type { GeneratedDocuments } from '../platform/documents';
import { documentPath } from '../platform/outsideText';
import { unsavedFiles } from '../platform/settings';
import { UserError } from '../platform/userError';
import { window } from '../platform/window';
import { targetOf } from '../services/datasets';
import type { Services } from '../services/services';
import type { CommandTarget } from '../targets';
import { taskLabel } from '../taskItems/taskItem';
import type { TaskNode } from '../taskItems/tasksNode';
import { pickTask } from '../tree/pickTasks';

export interface PreviewServices extends Services {
  readonly previews: RequestPreviews;
}

/** Max bytes of a file in a preview. */
const SHOWN_BYTES = 2048;

/** Shows the request that would import a file, without sending it. */
export async function previewImport(services: PreviewServices, target: Uri | undefined): Promise<void> {
  const uri = await oneFile(target, l10n.t('Preview Import: Select the File to Import'));
  const dataset = uri && (await chooseDataset(services, undefined, l10n.t('Preview Import')));
  if (uri === undefined || dataset === undefined) return;
  const preview = await importPreview(services, dataset, uri);
  await services.previews.show(l10n.t('{0} (import request)', pathInWorkspace(uri)), preview);
}

/** Shows the request that checks a task's status, without sending it. */
export async function previewQuery(services: PreviewServices, target: CommandTarget<TaskNode>): Promise<void> {
  const task = await pickTask(services, target, ({ taskId }) => taskId !== undefined);
  const [taskId] = task === undefined ? [] : idsToAsk(task);
  if (task === undefined || taskId === undefined) return;
  const preview = queryPreview(datasetAt(services, task), taskId);
  await services.previews.show(l10n.t('{0} (query request)', taskLabel(task)), preview);
}

/** Says so where the body asks for a number and the ID is none. */
function queryPreview(dataset: Dataset, taskId: TaskId): RequestPreview {
  const request = queryTaskRequest(masked(dataset), taskId);
  const asksForNumber = placeholdersIn(dataset.contract.queryTask.body).includes('taskId:number');
  const note =
    asksForNumber && numericTaskId(taskId) === undefined
      ? [l10n.t("The task ID '{0}' is not a number, so ${taskId:number} is sent as text.", taskIdText(taskId))]
      : [];
  return { text: [...note, previewJson(request)].join('\n\n'), curl: curlJson(request) };
}

/** Copies the request of a preview, or the import of a file, as a curl command with `$ACCESS_KEY` for the key. */
export async function copyAsCurl(services: PreviewServices, target: Uri | undefined): Promise<void> {
  const shown = services.previews.of(target ?? vscodeWindow.activeTextEditor?.document.uri);
  const curl = shown?.curl ?? (await curlOfFile(services, target));
  if (curl === undefined) return;
  await env.clipboard.writeText(curl);
  window.setStatusBarMessage(l10n.t('Copied. Set ACCESS_KEY in your shell before you run the command.'), 5000);
}

async function curlOfFile(services: PreviewServices, target: Uri | undefined): Promise<string | undefined> {
  const uri = await oneFile(target, l10n.t('Copy Request as cURL: Select the File to Import'));
  const dataset = uri && (await chooseDataset(services, undefined, l10n.t('Copy Request as cURL')));
  return uri && dataset && (await importPreview(services, dataset, uri)).curl;
}

/** `title` is that of the dialog, where no file is meant. */
async function oneFile(target: Uri | undefined, title: string): Promise<Uri | undefined> {
  const [uri] = await chosenFiles(target === undefined ? [] : [target], () => pickFileFor(title));
  if (uri === undefined) return undefined;
  if (uri.scheme !== 'file') {
    const name = path.posix.basename(uri.path);
    throw new UserError(l10n.t("'{0}' is not a file on disk. Save it as a file to see its request.", name));
  }
  return (await confirmUnsaved([uri], unsavedFiles())) ? uri : undefined;
}

async function importPreview({ sources }: PreviewServices, dataset: Dataset, uri: Uri): Promise<RequestPreview> {
  const [checked] = await sources.check([{ path: uri.fsPath, relativePath: pathInWorkspace(uri) }]);
  if (checked instanceof SourceError) throw checked;
  const file = await FileBody.open(uri.fsPath);
  try {
    const facts = await fileFacts(dataset.contract, file, pathInWorkspace(uri));
    const { name, sizeBytes } = file;
    const shown = { name, sizeBytes, beginning: await file.beginning(SHOWN_BYTES) };
    const request = fileTaskRequest(masked(dataset), file, facts);
    const text = await previewFileTask(masked(dataset), shown, facts, formatRest);
    return { text, curl: curlFileTask(request, uri.fsPath) };
  } finally {
    await file.close();
  }
}

function formatRest(bytes: number): string {
  return bytes === 1 ? l10n.t('… (1 more byte of the file)') : l10n.t('… ({0} more bytes of the file)', bytes);
}

function masked(dataset: Dataset) {
  return targetOf(dataset, KEY_MASK);
}

/** A request as text and as a curl command, both without the access key. */
export interface RequestPreview {
  readonly text: string;
  readonly curl: string;
}

/** Requests as read-only documents. */
export class RequestPreviews {
  readonly #previews = new Map<string, RequestPreview>();
  readonly #documents: GeneratedDocuments;

  constructor(documents: GeneratedDocuments) {
    this.#documents = documents;
    // VS Code restores the tabs of previews in a new window, which does not know them.
    const lost = () =>
      l10n.t(
        'This preview is no longer available. Use Preview Import… or Preview Status Check… to see the request again.',
      );
    documents.provide(({ path }) => this.#previews.get(path)?.text ?? `${lost()}\n`);
  }

  /** Opens a preview under this name. */
  async show(name: string, preview: RequestPreview): Promise<void> {
    const path = documentPath(`${name}.txt`);
    this.#previews.set(path, preview);
    await this.#documents.show(path);
  }

  /** The preview that a document shows. */
  of(target: unknown): RequestPreview | undefined {
    const isPreview = target instanceof Uri && target.scheme === this.#documents.scheme;
    return isPreview ? this.#previews.get(target.path) : undefined;
  }
}
