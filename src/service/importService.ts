import { maskKey } from './accessKey';
import { operationUrl } from './baseUrl';
import { ACCESS_KEY_HEADER, CONTENT_TYPES, type Contract, KIND_HEADERS, type StatusMeaning } from './contract';
import { readAnswer } from './envelope';
import { BadAnswerError, ConnectError, type ServiceError, SourceError } from './errors';
import type { HttpResult } from './exchange';
import { FileBody } from './fileBody';
import type { Http, PostRequest } from './http';
import { isJsonObject, type Json, leafText, stringifyJson } from './json';
import { mediaTypeOf } from './mediaType';
import { multipartBody } from './multipart';
import type { Outcome, Refusal } from './outcome';
import { findFact, progressFraction, statusMeaning } from './recognition';
import { retryAfterMs } from './retryAfter';
import { type TaskId, taskIdOf, taskIdValue } from './taskId';
import { fillTemplate, fillText } from './template';

/** One dataset's service, as a request needs it (INTERFACE.md 4 and 5: base address and key). */
export interface Target {
  readonly baseUrl: URL;
  readonly contract: Contract;
  /** Goes into the header Access-Key and nowhere else (INTERFACE.md 5). */
  readonly accessKey: string;
}

/** What file-task's answer tells of the task that it began (INTERFACE.md 4.3: not shown, so recognised or mapped). */
export interface BegunTask {
  /** Undefined where no id was recognised; the answer has it all. */
  readonly taskId: TaskId | undefined;
}

/** What query-task's answer tells of a task (INTERFACE.md 4.2: not shown, so recognised or mapped). */
export interface TaskReport {
  /** The status as the service words it. */
  readonly status: string | undefined;
  readonly meaning: StatusMeaning;
  /** From 0 to 1. */
  readonly progress: number | undefined;
  readonly message: string | undefined;
}

/** How an operation may be watched and stopped (INTERFACE.md 8: time-outs are not shown). */
export interface Watch {
  readonly signal: AbortSignal;
  readonly onSent?: (sentBytes: number, totalBytes: number) => void;
}

/** A file to be imported (INTERFACE.md 4.3). */
export interface FileToImport {
  readonly path: string;
  /** The path inside the workspace, for the placeholder `${relativePath}`. */
  readonly relativePath: string;
}

/** Told how each request ended, for the log (INTERFACE.md 4: each operation is one request). */
export type Observe = (url: URL, outcome: Outcome<unknown>) => void;

/** The three operations that INTERFACE.md 4.2 to 4.4 show. None throws for what the network or the service does. */
export class ImportService {
  readonly #http: Http;
  readonly #observe: Observe;

  constructor(http: Http, observe: Observe = () => {}) {
    this.#http = http;
    this.#observe = observe;
  }

  /** Imports a text file as a task, streamed as it is on disk (INTERFACE.md 4.3). */
  async fileTask(target: Target, source: FileToImport, watch: Watch): Promise<Outcome<BegunTask>> {
    let file: FileBody;
    try {
      file = await FileBody.open(source.path);
    } catch (cause) {
      if (cause instanceof SourceError) return { kind: 'notSent', cause };
      throw cause;
    }
    try {
      const { paths, fileTask } = target.contract;
      const values = { fileName: file.name, relativePath: source.relativePath, size: file.sizeBytes };
      const fields = Object.entries(fileTask.fields).map(([name, value]) => [name, fillText(value, values)] as const);
      const body = multipartBody({
        fields: Object.fromEntries(fields),
        filePart: fileTask.filePart,
        mediaType: mediaTypeOf(file.name),
        file,
      });
      const headers = { ...kindHeaders(target, body.contentType), ...KIND_HEADERS, ...target.contract.headers };
      const request = { headers, body: body.bytes(), bodyBytes: body.sizeBytes };
      return await this.#send(target, paths.fileTask, request, watch, (data) => ({
        taskId: isJsonObject(data) ? taskIdOf(findFact('taskId', data, fileTask.taskId)?.value) : undefined,
      }));
    } finally {
      // A failure to close what was only read must not take the place of the outcome.
      await file.close().catch(() => {});
    }
  }

  /** Asks how a task is doing (INTERFACE.md 4.2). */
  queryTask(target: Target, taskId: TaskId, watch: Watch): Promise<Outcome<TaskReport>> {
    const { paths, queryTask, headers } = target.contract;
    const body = stringifyJson(fillTemplate(queryTask.body, { taskId: taskIdValue(taskId) }));
    const request = jsonRequest({ ...kindHeaders(target, CONTENT_TYPES.query), ...KIND_HEADERS, ...headers }, body);
    return this.#send(target, paths.queryTask, request, watch, (data) => readReport(data, queryTask, target.accessKey));
  }

  /** Registers the address that the service shall call (INTERFACE.md 4.4: only two headers are shown). */
  setWebhook(target: Target, webhookUrl: URL, watch: Watch): Promise<Outcome<undefined>> {
    const { paths, headers } = target.contract;
    const body = stringifyJson({ url: webhookUrl.href });
    const request = jsonRequest({ ...kindHeaders(target, CONTENT_TYPES.query), ...headers }, body);
    return this.#send(target, paths.setWebhook, request, watch, () => undefined);
  }

  async #send<Taken>(
    target: Target,
    path: string,
    request: Omit<PostRequest, 'url'>,
    watch: Watch,
    take: (data: Json) => Taken,
  ): Promise<Outcome<Taken>> {
    const url = operationUrl(target.baseUrl, path);
    const outcome = await this.#exchange(target, url, request, watch, take);
    this.#observe(url, outcome);
    return outcome;
  }

  async #exchange<Taken>(
    target: Target,
    url: URL,
    request: Omit<PostRequest, 'url'>,
    watch: Watch,
    take: (data: Json) => Taken,
  ): Promise<Outcome<Taken>> {
    const onSent = (sentBytes: number) => watch.onSent?.(sentBytes, request.bodyBytes);
    const result = await this.#http.post({ url, ...request }, watch.signal, onSent);
    if ('error' in result) return unanswered(result.error, result, request.bodyBytes);
    const reading = readAnswer(result.answer, url, target.accessKey);
    const waitMs = retryAfterMs(result.answer);
    const asked = waitMs === undefined ? {} : { retryAfterMs: waitMs };
    switch (reading.kind) {
      case 'taken':
        return { kind: 'accepted', answer: reading.answer, taken: take(reading.data) };
      case 'refused': {
        const { refusal } = reading;
        return { kind: 'rejected', refusal, badKey: isBadKey(refusal, target.contract.codes.badKey), ...asked };
      }
      case 'unclear':
        return { ...unconfirmed(reading.cause, result, request.bodyBytes), ...asked };
    }
  }
}

function kindHeaders({ accessKey }: Target, contentType: string): Record<string, string> {
  return { [ACCESS_KEY_HEADER]: accessKey, 'Content-Type': contentType };
}

function jsonRequest(headers: Record<string, string>, body: string): Omit<PostRequest, 'url'> {
  return { headers, body, bodyBytes: Buffer.byteLength(body) };
}

/** No clear answer: whether the request may have been carried out depends on what had left. */
function unanswered(cause: ServiceError, result: HttpResult, totalBytes: number): Outcome<never> {
  const { sentBytes } = result;
  const nothingLeft = cause instanceof ConnectError || (sentBytes === 0 && !(cause instanceof BadAnswerError));
  return nothingLeft ? { kind: 'notSent', cause } : unconfirmed(cause, result, totalBytes);
}

function unconfirmed(cause: ServiceError, { sentBytes }: HttpResult, totalBytes: number) {
  return { kind: 'unconfirmed', cause, sentBytes, totalBytes } as const;
}

function isBadKey(refusal: Refusal, badKeyCodes: readonly string[]): boolean {
  if (refusal.status === 401 || refusal.status === 403) return true;
  return refusal.by === 'envelope' && badKeyCodes.includes(refusal.code);
}

function readReport(data: Json, contract: Contract['queryTask'], accessKey: string): TaskReport {
  if (!isJsonObject(data)) return { status: undefined, meaning: 'unknown', progress: undefined, message: undefined };
  const words = (fact: 'status' | 'message') => {
    const text = leafText(findFact(fact, data, contract[fact])?.value);
    return text === undefined ? undefined : maskKey(text, accessKey);
  };
  const status = words('status');
  const progress = findFact('progress', data, contract.progress)?.value;
  return {
    status,
    meaning: status === undefined ? 'unknown' : statusMeaning(status, contract.statusMeanings),
    progress: progress === undefined ? undefined : progressFraction(progress),
    message: words('message'),
  };
}
