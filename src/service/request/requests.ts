import { sha256Of } from '../content/hashing';
import type { SourceBody } from '../content/sourceBody';
import { operationUrl } from '../contract/baseUrl';
import { ACCESS_KEY_HEADER, CONTENT_TYPES, type Contract, KIND_HEADERS } from '../contract/contract';
import type { Dataset } from '../contract/dataset';
import { type FileFacts, fillTemplate, fillText, placeholdersIn, type QUERY_PLACEHOLDERS } from '../contract/template';
import { type Json, parseJson, stringifyJson } from '../json/json';
import { numericTaskId, type TaskId, taskIdText } from '../json/taskId';
import { withKey } from '../masking/mask';
import { type Form, multipartBody } from './multipart';

/** Where a request is sent, and the contract and access key that it uses. */
export interface Target extends Pick<Dataset, 'baseUrl' | 'contract'> {
  /** Sent only in the `Access-Key` header. */
  readonly accessKey: string;
}

/** A query-task or set-webhook request. */
export interface JsonRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A file-task request. Its Content-Type contains the body's boundary. */
export type FormRequest = Readonly<ReturnType<typeof fileTaskRequest>>;

/** The request that imports a file. */
export function fileTaskRequest(target: Target, file: Form['file'], facts: FileFacts) {
  const { paths, fileTask, headers } = target.contract;
  const values: Record<string, Json> = { ...facts };
  const filled = Object.entries(fileTask.fields).map(([name, value]) => [name, fillText(value, values)] as const);
  const fields = Object.fromEntries(filled);
  const { filePart, fileNameEncoding } = fileTask;
  const form: Form = { fields, filePart, mediaType: facts.mediaType, fileNameEncoding, file };
  const body = multipartBody(form);
  const sent: JsonRequest['headers'] = { ...kindHeaders(target, body.contentType), ...KIND_HEADERS, ...headers };
  return { url: operationUrl(target.baseUrl, paths.fileTask), headers: sent, form, body };
}

/**
 * Returns the values of the placeholders in form fields. Reads and hashes the file only if a field contains `${sha256}`.
 * @throws SourceError if the file can't be read
 */
export async function fileFacts({ fileTask }: Contract, file: SourceBody, relativePath: string): Promise<FileFacts> {
  const { name: fileName, sizeBytes: size } = file;
  const [, taskName = fileName, extension = ''] = /^(.+)\.([^.]*)$/s.exec(fileName) ?? [];
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  // Default to text/plain, because the example in INTERFACE.md imports a text file.
  const mediaType = fileTask.mediaType ?? mediaTypes.get(ending) ?? 'text/plain';
  const facts = { fileName, relativePath, extension, mediaType, size, taskName };
  const needsHash = placeholdersIn({ ...fileTask.fields }).includes('sha256');
  return needsHash ? { ...facts, sha256: await sha256Of(file) } : facts;
}

/** Media types by file extension. */
const mediaTypes = new Map([
  ['csv', 'text/csv'],
  ['htm', 'text/html'],
  ['html', 'text/html'],
  ['json', 'application/json'],
  ['jsonl', 'application/x-ndjson'],
  ['markdown', 'text/markdown'],
  ['md', 'text/markdown'],
  ['ndjson', 'application/x-ndjson'],
  ['tsv', 'text/tab-separated-values'],
  ['xml', 'application/xml'],
  ['yaml', 'application/yaml'],
  ['yml', 'application/yaml'],
]);

/** The request that asks for a task's details. */
export function queryTaskRequest(target: Target, taskId: TaskId): JsonRequest {
  const { paths, queryTask, headers } = target.contract;
  return {
    url: operationUrl(target.baseUrl, paths.queryTask),
    headers: { ...kindHeaders(target, CONTENT_TYPES.query), ...KIND_HEADERS, ...headers },
    body: stringifyJson(fillTemplate(queryTask.body, queryValues(withKey(taskId, target.accessKey)))),
  };
}

/** Returns the values of the placeholders in the query's body. An ID that isn't a number stays text. */
function queryValues(taskId: TaskId): Record<(typeof QUERY_PLACEHOLDERS)[number], Json> {
  const text = taskIdText(taskId);
  return { taskId: parseJson(taskId), 'taskId:number': numericTaskId(taskId) ?? text, 'taskId:text': text };
}

/** The request that registers a webhook. */
export function setWebhookRequest(target: Target, webhookUrl: URL): JsonRequest {
  return {
    url: operationUrl(target.baseUrl, target.contract.paths.setWebhook),
    headers: { ...kindHeaders(target, CONTENT_TYPES.query), ...target.contract.headers },
    body: stringifyJson({ url: webhookUrl.href }),
  };
}

function kindHeaders({ accessKey }: Target, contentType: string): Record<string, string> {
  return { [ACCESS_KEY_HEADER]: accessKey, 'Content-Type': contentType };
}
