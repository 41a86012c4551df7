import type { StatusMeaning } from '../contract/contract';
import { plainName } from './usualNames';

/** As {@link plainName} writes them. */
const USUAL_WORDS: Readonly<Record<Exclude<StatusMeaning, 'unknown'>, string>> = {
  running:
    'pending queued queueing waiting created submitted received scheduled init initializing started ' +
    'starting running processing inprogress importing uploading parsing indexing working executing ' +
    'ongoing doing 排队中 等待中 待处理 处理中 进行中 运行中 导入中 解析中',
  succeeded: 'success succeed succeeded successful done complete completed finished 成功 已成功 导入成功 完成 已完成',
  failed: 'failed failure fail error errored cancelled canceled aborted rejected 失败 已失败 导入失败 已取消',
};

/** What a status means: as the contract says, else by the usual words whatever their case, else unknown. */
export function statusMeaning(status: string, meanings: Readonly<Record<string, StatusMeaning>>): StatusMeaning {
  if (Object.hasOwn(meanings, status)) return meanings[status] ?? 'unknown';
  const word = plainName(status);
  const meaning = (['running', 'succeeded', 'failed'] as const).find((each) =>
    USUAL_WORDS[each].split(' ').includes(word),
  );
  return meaning ?? 'unknown';
}
