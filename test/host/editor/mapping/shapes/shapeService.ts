import { readForm } from '../../../../unit/service/readForm';
import { startTinyService, type TinyRequest, type TinyService } from '../../../tinyService';
import type { ServiceBehavior } from './shape';

export const ACCESS_KEY = 'shapes-key-0123456789';

/** The default JSON with the task's ID, used in responses and queries. */
const USUAL_ID = '{"taskId":"t-1"}';

/** An import that a service received. */
export interface ReceivedImport {
  /** The form parts as text, including the file. */
  readonly form: Readonly<Record<string, string>>;
  readonly fileName: string;
}

/** A local service that implements a {@link ServiceBehavior}. It recognizes its task by the exact query body. */
export interface ShapeService extends TinyService {
  /** The stage is undefined until the service accepts the file. */
  readonly task: { stage: number | undefined };
}

export async function startShapeService(shape: ServiceBehavior): Promise<ShapeService> {
  const { query = USUAL_ID, importData = USUAL_ID, unknown = 'task not found', reports } = shape;
  const task: ShapeService['task'] = { stage: undefined };
  const service = await startTinyService({
    'file-task': async (request) => {
      if (request.accessKey !== ACCESS_KEY) return 401;
      const fault = shape.missing?.(await readImport(request));
      if (fault !== undefined) return rejection(fault);
      task.stage = 0;
      return accepted(importData);
    },
    'query-task': ({ accessKey, body }) => {
      if (accessKey !== ACCESS_KEY) return 401;
      const [data] = reports[task.stage ?? -1] ?? [];
      if (data === undefined || ![query].flat().includes(body)) return rejection(unknown);
      return accepted(typeof data === 'string' ? data : data(body));
    },
  });
  return { ...service, task };
}

async function readImport({ headers, body }: TinyRequest): Promise<ReceivedImport> {
  const parts = await readForm({ head: `content-type: ${headers['content-type']}`, body: Buffer.from(body) });
  return {
    form: Object.fromEntries(parts.map(({ name, content }) => [name, content.toString()])),
    // As in a browser, quotes in file names are escaped.
    fileName: (parts.find(({ fileName }) => fileName !== undefined)?.fileName ?? '').replaceAll('%22', '"'),
  };
}

function accepted(data: string): string {
  return `{"code":"0","message":null,"data":${data}}`;
}

function rejection(message: string): string {
  return JSON.stringify({ code: '400', message, data: null });
}
