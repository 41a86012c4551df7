import { Disposable } from 'vscode';
import type { TaskList } from '../../tasks/store/taskList';
import { listen } from '../platform/listen';

/**
 * Calls `update` a while after the list has changed, once for all changes until then: a large import changes it many times a
 * second. `onError` gets what it rejects with.
 */
export function afterChanges(
  list: TaskList,
  pauseMs: () => number,
  update: () => Promise<void>,
  onError: (error: unknown) => void,
): Disposable & { soon(): void } {
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      update().catch(onError);
    }, pauseMs());
  };
  const listening = listen(list.events, 'change', soon);
  return Object.assign(Disposable.from(listening, { dispose: () => clearTimeout(timer) }), { soon });
}
