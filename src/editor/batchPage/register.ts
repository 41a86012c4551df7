import { isBatchNode } from '../rows/tasksNode';
import type { Services } from '../services/services';
import type { BatchPages } from './batchPages';

/** Registers the command that opens the page of a batch. */
export function registerBatchPages(
  { commands, messages }: Pick<Services, 'commands' | 'messages'>,
  pages: BatchPages,
): void {
  const show = (target: unknown) => (isBatchNode(target) ? pages.show(target.batchId) : undefined);
  commands.handle({ 'datasetImport.showBatch': show }, messages);
}
