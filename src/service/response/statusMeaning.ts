import type { StatusMeaning } from '../contract/contract';

const usualWords: Readonly<Record<Exclude<StatusMeaning, 'unknown'>, ReadonlySet<string>>> = {
  running: new Set([
    ...['pending', 'queued', 'queueing', 'waiting', 'created', 'submitted', 'received', 'scheduled', 'init'],
    ...['initializing', 'started', 'starting', 'running', 'processing', 'inprogress', 'importing', 'uploading'],
    ...['parsing', 'indexing', 'working', 'executing', 'ongoing', 'doing'],
    ...['排队中', '等待中', '待处理', '处理中', '进行中', '运行中', '导入中', '解析中'],
  ]),
  succeeded: new Set([
    ...['success', 'succeed', 'succeeded', 'successful', 'done', 'complete', 'completed', 'finished'],
    ...['成功', '已成功', '导入成功', '完成', '已完成'],
  ]),
  failed: new Set([
    ...['failed', 'failure', 'fail', 'error', 'errored', 'cancelled', 'canceled', 'aborted', 'rejected'],
    ...['失败', '已失败', '导入失败', '已取消'],
  ]),
};

/** What a status means: as the contract says, else by the usual words whatever their case, else unknown. */
export function statusMeaning(status: string, meanings: Readonly<Record<string, StatusMeaning>>): StatusMeaning {
  if (Object.hasOwn(meanings, status)) return meanings[status] ?? 'unknown';
  const word = status.toLowerCase().replace(/[\s_-]/g, '');
  if (usualWords.running.has(word)) return 'running';
  if (usualWords.succeeded.has(word)) return 'succeeded';
  return usualWords.failed.has(word) ? 'failed' : 'unknown';
}
