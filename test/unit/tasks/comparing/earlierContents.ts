import { compareChecked } from '../../../../src/tasks/comparing/taskListMemory';
import type { Destination } from '../../../../src/tasks/destination';
import type { AcceptedContent } from '../../../../src/tasks/rows/acceptedContents';
import type { CheckedSource } from '../../../../src/tasks/sending/checkedSource';
import { sharedFiles } from '../sharedFiles';
import type { StoredList } from '../temporaryStore';

/** What is in the dataset already of these files, and the contents that may be the same. */
export async function earlierContents(
  list: StoredList,
  checked: readonly CheckedSource[],
  destination: Destination,
): Promise<{ earlier: Map<CheckedSource, AcceptedContent>; known: readonly AcceptedContent[] }> {
  const services = { list, contents: list.store.contents, sources: { files: sharedFiles } };
  const { standings, known } = await compareChecked(services, checked, destination, new AbortController().signal);
  const earlier = new Map<CheckedSource, AcceptedContent>();
  for (const [one, standing] of standings)
    if ('earlier' in standing && standing.earlier !== undefined) earlier.set(one, standing.earlier);
  return { earlier, known };
}
