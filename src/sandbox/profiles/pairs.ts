import { eventWith, type Profile, type TaskShape } from './profile';
import { standard } from './standard';

const words = { QUEUED: '排队中', RUNNING: '处理中', SUCCEEDED: '已完成', FAILED: '失败' } as const;

const found: TaskShape = ({ id, text }, { status, progress, message }) => ({
  taskId: id,
  status: words[status],
  done: Math.floor((text.lines * progress) / 100),
  total: text.lines,
  remark: message,
});

/** Progress is a pair of numbers of lines, and the states are Chinese words. */
export const pairs: Profile = {
  ...standard,
  found,
  event: eventWith(found),
};
