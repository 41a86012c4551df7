import type { Services } from '../services/services';
import { onOne } from '../targets';
import type { BatchPages } from './batchPages';

/** Registers the command that opens the page of a batch. */
export function registerBatchPages(
  { commands, messages }: Pick<Services, 'commands' | 'messages'>,
  pages: BatchPages,
): void {
  const show = onOne(['batch'], (row) => row && pages.show(row.batchId));
  commands.handle({ 'datasetImport.showBatch': show }, messages);
}
