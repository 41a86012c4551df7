import type { KnownMeaning } from '../../../../../src/service/contract/contract';
import { readForm } from '../../../../unit/service/readForm';
import { startTinyService, type TinyRequest, type TinyService } from '../../../tinyService';
import type { ServiceBehavior } from './shape';

export const ACCESS_KEY = 'shapes-key-0123456789';

/** An import that a service received. */
export interface ReceivedImport {
  readonly headers: TinyRequest['headers'];
  /** The form parts as text, including the file. */
  readonly form: Readonly<Record<string, string>>;
  readonly fileName: string;
}

/** An import that the service accepted, and the stage of its task. */
export interface ShapeTask {
  readonly number: number;
  stage: number;
}

/** A local service that implements a {@link ServiceBehavior}. It recognizes a task by the exact query body. */
export interface ShapeService extends TinyService {
  /** Tasks by file name. */
  readonly tasks: ReadonlyMap<string, ShapeTask>;
  /** The true state of a file's task. */
  truthOf(fileName: string): KnownMeaning | undefined;
}

export async function startShapeService(shape: ServiceBehavior): Promise<ShapeService> {
  const { query = usualId, importData = usualId, reports } = shape;
  const tasks = new Map<string, ShapeTask>();
  const service = await startTinyService({
    'file-task': async (request) => {
      if (request.accessKey !== ACCESS_KEY) return 401;
      const received = await readImport(request);
      const fault = shape.missing?.(received);
      if (fault !== undefined) return rejection(fault);
      const task = { number: tasks.size + 1, stage: 0 };
      tasks.set(received.fileName, task);
      return accepted(importData(task.number));
    },
    'query-task': ({ accessKey, body }) => {
      if (accessKey !== ACCESS_KEY) return 401;
      const task = [...tasks.values()].find(({ number }) => [query(number)].flat().includes(body));
      const [data] = (task && reports[task.stage]) ?? [];
      if (task === undefined || data === undefined) return rejection(shape.unknown?.(body) ?? 'task not found');
      return accepted(typeof data === 'string' ? data : data(task.number, body));
    },
  });
  const truthOf = (fileName: string) => reports[tasks.get(fileName)?.stage ?? -1]?.[1];
  return { ...service, tasks, truthOf };
}

async function readImport({ headers, body }: TinyRequest): Promise<ReceivedImport> {
  const parts = await readForm({ head: `content-type: ${headers['content-type']}`, body: Buffer.from(body) });
  return {
    headers,
    form: Object.fromEntries(parts.map(({ name, content }) => [name, content.toString()])),
    // As in a browser, quotes in file names are escaped.
    fileName: (parts.find(({ fileName }) => fileName !== undefined)?.fileName ?? '').replaceAll('%22', '"'),
  };
}

/** The default JSON with the nth task's ID, used in responses and queries. */
function usualId(task: number): string {
  return `{"taskId":"t-${task}"}`;
}

function accepted(data: string): string {
  return `{"code":"0","message":null,"data":${data}}`;
}

function rejection(message: string): string {
  return JSON.stringify({ code: '400', message, data: null });
}
