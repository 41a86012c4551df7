import { performance } from 'node:perf_hooks';
import { DEFAULT_CONTRACT } from '../../src/service/contract/contract';
import { parseJson } from '../../src/service/json/json';
import { taskIdOf } from '../../src/service/json/taskId';
import { KnownKeys } from '../../src/service/masking/mask';
import { readResponse } from '../../src/service/response/envelope';
import { toOwnTask } from '../../src/service/response/field';
import { readTaskReport } from '../../src/service/response/taskReport';
import type { Comparison } from './comparison';

const MIB = 1024 * 1024;
const longId = (index: number) => `7${String(index).padStart(18, '0')}`;

/**
 * Responses of almost 1 MiB. In each one, `data` consists of `head`, many rows and `tail`. `row` returns one row, and
 * `id` is our task's ID.
 */
const shapes: Readonly<Record<string, [head: string, row: (index: number) => string, tail: string, id: string]>> = {
  'a list of tasks, IDs as strings': ['{"tasks":[', (n) => `{"taskId":"t-${n}",${task(n)}}`, ']}', '"t-5000"'],
  'a list of tasks, IDs of 19 digits': ['{"tasks":[', (n) => `{"taskId":${longId(n)},${task(n)}}`, ']}', longId(5000)],
  'a list of IDs of 19 digits with little else': ['[', (n) => `{"id":${longId(n)},"status":1}`, ']', longId(5000)],
  'a map of tasks': ['{"tasks":{', (n) => `"t-${n}":{"status":"RUNNING","progress":50}`, '}}', '"t-5000"'],
  'nested elements': ['[', (n) => `{"task":{"id":"t-${n}","meta":{"a":true}},"state":"DONE"}`, ']', '"t-3000"'],
  'a list of numbers beside the status': ['{"taskId":"t-1","status":"RUNNING","log":[', String, ']}', '"t-1"'],
  'Chinese texts beside the status': [
    '{"taskId":"t-1","status":"RUNNING","rows":[',
    (n) => `{"no":${n},"text":"第${n}行无法解析，已跳过"}`,
    ']}',
    '"t-1"',
  ],
};

function task(index: number): string {
  return `"status":"RUNNING","progress":50,"fileName":"notes ${index}.txt"`;
}

/** Compares extracting our task's report from the bytes of a 1 MiB response with calling `JSON.parse` on the text. */
export async function reading(short: boolean): Promise<Comparison[]> {
  const keys = new KnownKeys();
  keys.add('bench-key-0123456789');
  return Object.entries(shapes).map(([title, [head, row, tail, id]]): Comparison => {
    const text = filled(`{"code":"0","message":null,"data":${head}`, row, `${tail}}`);
    const body = Buffer.from(text);
    const http = { status: 200, headers: { 'content-type': 'application/json' }, body };
    const taskId = taskIdOf(parseJson(id));
    if (taskId === undefined) throw new Error(`${id} is not a task ID.`);
    const ownTask = toOwnTask(taskId, undefined);
    const read = () => {
      const result = readResponse(http, new URL('https://bench.example'), keys, DEFAULT_CONTRACT.codes);
      if (result.kind !== 'accepted') throw new Error(`The response is ${result.kind}.`);
      const { status } = readTaskReport(result.response.envelope['data'] ?? null, DEFAULT_CONTRACT.queryTask, ownTask);
      if (status === undefined) throw new Error('No status is recognized.');
    };
    const runs = Array.from({ length: short ? 1 : 5 }, () => ({
      ms: { 'Dataset Import': best(read), 'JSON.parse': best(() => JSON.parse(text)) },
    }));
    return { title: `A response of 1 MiB: ${title}`, runs, show: (ms) => `${ms.toFixed(2)} ms` };
  });
}

function filled(head: string, row: (index: number) => string, tail: string): string {
  const rows: string[] = [];
  for (let bytes = head.length + tail.length; bytes < MIB - 200; ) {
    rows.push(row(rows.length));
    bytes += Buffer.byteLength(rows.at(-1) ?? '') + 1;
  }
  return head + rows.join() + tail;
}

/** The time of the fastest run, because other load on the machine can only make a run slower. */
function best(run: () => unknown): number {
  const timesMs = Array.from({ length: 15 }, () => {
    const startedMs = performance.now();
    run();
    return performance.now() - startedMs;
  });
  return Math.min(...timesMs);
}
