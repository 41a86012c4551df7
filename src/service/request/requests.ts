import { operationUrl } from '../contract/baseUrl';
import { ACCESS_KEY_HEADER, CONTENT_TYPES, type Contract, KIND_HEADERS } from '../contract/contract';
import { type FileFacts, fillTemplate, fillText, type QUERY_PLACEHOLDERS } from '../contract/template';
import { type Json, parseJson, stringifyJson } from '../json/json';
import { numericTaskId, type TaskId, taskIdText } from '../json/taskId';
import { withKey } from '../masking/mask';
import { type Form, type MultipartBody, multipartBody } from './multipart';

/** The target of a request. */
export interface Target {
  readonly baseUrl: URL;
  readonly contract: Contract;
  /** Sent only in the `Access-Key` header. */
  readonly accessKey: string;
}

/** A request of the query kind, or set-webhook. */
export interface JsonRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request of the file-processing kind. Content-Type comes with the body's boundary. */
export interface FormRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: Form;
  readonly body: MultipartBody;
}

/** The request that imports a file. */
export function fileTaskRequest(target: Target, file: Form['file'], facts: FileFacts): FormRequest {
  const { paths, fileTask, headers } = target.contract;
  const values: Record<string, Json> = { ...facts };
  const fields = Object.entries(fileTask.fields).map(([name, value]) => [name, fillText(value, values)] as const);
  const form: Form = {
    fields: Object.fromEntries(fields),
    filePart: fileTask.filePart,
    mediaType: facts.mediaType,
    fileNameEncoding: fileTask.fileNameEncoding,
    file,
  };
  const body = multipartBody(form);
  return {
    url: operationUrl(target.baseUrl, paths.fileTask),
    headers: { ...kindHeaders(target, body.contentType), ...KIND_HEADERS, ...headers },
    form,
    body,
  };
}

/** The request that asks for a task's details. */
export function queryTaskRequest(target: Target, taskId: TaskId): JsonRequest {
  const { paths, queryTask, headers } = target.contract;
  return {
    url: operationUrl(target.baseUrl, paths.queryTask),
    headers: { ...kindHeaders(target, CONTENT_TYPES.query), ...KIND_HEADERS, ...headers },
    body: stringifyJson(fillTemplate(queryTask.body, queryValues(withKey(taskId, target.accessKey)))),
  };
}

/** The values of the placeholders in the query's body. An ID that isn't a number stays text. */
function queryValues(taskId: TaskId): Record<(typeof QUERY_PLACEHOLDERS)[number], Json> {
  const text = taskIdText(taskId);
  return { taskId: parseJson(taskId), 'taskId:number': numericTaskId(taskId) ?? text, 'taskId:text': text };
}

/** The request that registers a webhook. */
export function setWebhookRequest(target: Target, webhookUrl: URL): JsonRequest {
  const { paths, headers } = target.contract;
  return {
    url: operationUrl(target.baseUrl, paths.setWebhook),
    headers: { ...kindHeaders(target, CONTENT_TYPES.query), ...headers },
    body: stringifyJson({ url: webhookUrl.href }),
  };
}

function kindHeaders({ accessKey }: Target, contentType: string): Record<string, string> {
  return { [ACCESS_KEY_HEADER]: accessKey, 'Content-Type': contentType };
}
