import type { ImportSource, SourceBody } from './content/sourceBody';
import type { ServiceError } from './errors';
import { BadResponseError, ConnectError, ConnectionLostError, unsentCause } from './errors';
import type { Responded } from './http/exchange';
import type { Http, PostRequest, Watch } from './http/http';
import { retryAfterMs } from './http/retryAfter';
import type { Json } from './json/json';
import type { TaskId } from './json/taskId';
import { KnownKeys } from './masking/mask';
import { orCanceled } from './orCanceled';
import type { JsonRequest, Target } from './request/requests';
import { fileFacts, fileTaskRequest, queryTaskRequest, setWebhookRequest } from './request/requests';
import { readResponse } from './response/envelope';
import { toOwnTask } from './response/field';
import { type Outcome, unexpected } from './response/outcome';
import { readTaskIds, type TaskIds } from './response/taskIds';
import { readTaskReport, type TaskReport } from './response/taskReport';

/** Reads the `data` of a response. */
type Read<Value> = (data: Json) => Value;

/** Called with the outcome of each request, for the log. */
export type Observe = (url: URL, outcome: Outcome<unknown>) => void;

/**
 * The three operations of the service. `queryTask` and `setWebhook` throw if their request can't be built. All other
 * errors are in the outcome.
 */
export class ImportService {
  /**
   * Base URLs of services whose import responses contain a task ID that we recognize. Other services get a new
   * connection for each request, because without an ID, a late duplicate of one response looks like the response to the
   * next request.
   */
  readonly #recognized = new Set<string>();

  constructor(
    private readonly http: Http,
    private readonly observe: Observe = () => {},
    private readonly keys: KnownKeys = new KnownKeys(),
  ) {}

  /** Call this if a response contained another file's task ID. The next response on that connection may be wrong, too. */
  distrustConnections(): void {
    this.http.closeConnections();
  }

  /** Imports a text file as a task. The bytes are streamed unchanged. */
  async fileTask(target: Target, source: ImportSource, watch: Watch): Promise<Outcome<TaskIds>> {
    let file: SourceBody | undefined;
    try {
      file = await source.open();
      const facts = await orCanceled(fileFacts(target.contract, file, source.relativePath), watch.signal);
      const { url, headers, body } = fileTaskRequest(target, file, facts);
      const request = { url, headers, body: body.bytes, bodyBytes: body.sizeBytes };
      const outcome = await this.#send(target, request, watch, (data) => readTaskIds(data, target.contract.fileTask));
      if (outcome.kind === 'accepted' && outcome.value.ids.length > 0) this.#recognized.add(target.baseUrl.href);
      return outcome;
    } catch (cause) {
      return { kind: 'notUploaded', cause: unsentCause(cause) };
    } finally {
      // A failure to close the file must not hide the outcome. Close it in the background, because a network drive may
      // never answer.
      file?.close().catch(() => {});
    }
  }

  queryTask(target: Target, taskId: TaskId, watch: Watch): Promise<Outcome<TaskReport>> {
    const request = { ...posted(queryTaskRequest(target, taskId)), isQuery: true } as const;
    this.#recognized.add(target.baseUrl.href);
    const { queryTask, fileTask } = target.contract;
    return this.#send(target, request, watch, (data) =>
      readTaskReport(data, queryTask, toOwnTask(taskId, fileTask.taskId, queryTask.body, data)),
    );
  }

  /** Registers a URL that the service will call. */
  setWebhook(target: Target, webhookUrl: URL, watch: Watch): Promise<Outcome<undefined>> {
    return this.#send(target, posted(setWebhookRequest(target, webhookUrl)), watch, () => undefined);
  }

  async #send<Value>(target: Target, request: PostRequest, watch: Watch, read: Read<Value>): Promise<Outcome<Value>> {
    this.keys.add(target.accessKey);
    const outcome = await this.#exchange(target, request, watch, read).catch(unexpected);
    this.observe(request.url, outcome);
    return outcome;
  }

  async #exchange<Value>(target: Target, request: PostRequest, watch: Watch, read: Read<Value>) {
    const isLastOnConnection = !this.#recognized.has(target.baseUrl.href);
    const result = await this.http.post({ ...request, isLastOnConnection }, watch);
    if ('error' in result) this.keys.maskError(result.error);
    const outcome =
      'error' in result ? withoutResponse(result.error, result.sentBytes) : this.#read(target, request, result, read);
    // If a response arrives before anything is sent, ignore it unless it rejects the request.
    const isStray = result.sentBytes === 0 && (outcome.kind === 'accepted' || outcome.kind === 'unconfirmed');
    if (!isStray) return outcome;
    return { kind: 'notUploaded', cause: new ConnectionLostError('reset', request.url.host) } as const;
  }

  #read<Value>(target: Target, request: PostRequest, responded: Responded, read: Read<Value>): Outcome<Value> {
    const reading = readResponse(responded.response, request.url, this.keys, target.contract.codes);
    const waitMs = retryAfterMs(responded.response, this.http.clock.now());
    const asked = waitMs === undefined ? {} : { retryAfterMs: waitMs };
    switch (reading.kind) {
      case 'accepted': {
        const { response } = reading;
        const value = read(response.envelope['data'] ?? null);
        if (responded.sentBytes === request.bodyBytes) return { kind: 'accepted', response, value };
        const deviations = [...response.deviations, 'the response came before the whole request was sent'];
        return { kind: 'accepted', response: { ...response, deviations }, value };
      }
      case 'rejected':
        return reading.badKey || reading.tryLater ? { ...reading, ...asked } : reading;
      case 'unconfirmed':
        return { ...reading, ...asked };
    }
  }
}

function posted({ url, headers, body }: JsonRequest): PostRequest {
  return { url, headers, body, bodyBytes: Buffer.byteLength(body) };
}

/**
 * Returns the outcome of a request that got no usable response. If anything was sent, the service may have carried out
 * the request.
 */
function withoutResponse(cause: ServiceError, sentBytes: number): Outcome<never> {
  const nothingWasSent = cause instanceof ConnectError || (sentBytes === 0 && !(cause instanceof BadResponseError));
  return { kind: nothingWasSent ? 'notUploaded' : 'unconfirmed', cause };
}
