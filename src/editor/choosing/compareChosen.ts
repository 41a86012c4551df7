import { l10n } from 'vscode';
import { compareChecked, goneFiles, unchangedFiles } from '../../tasks/comparing/taskListMemory';
import type { Destination } from '../../tasks/destination';
import type { AcceptedContent } from '../../tasks/rows/acceptedContents';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import { checkFiles, goodAndBad } from '../collecting/checkFiles';
import type { CollectedFile } from '../collecting/collectFiles';
import { diskPath } from '../collecting/filePaths';
import { formatCount } from '../platform/formatNumbers';
import { maxFileBytes } from '../platform/settings';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Services } from '../services/services';
import type { ChosenFile } from './fileGroups';

/** Files that were chosen, and texts without a file, which were checked as they were read. */
export interface Chosen {
  readonly files: readonly CollectedFile[];
  readonly texts: readonly CheckedSource[];
  /** The names of those texts that may hold secrets, and about which the user was not asked. */
  readonly sensitiveTexts: ReadonlySet<string>;
  /** The real paths of the folders in which files are looked for that are gone. */
  readonly folders: readonly string[];
  /** The real paths of other files that are known to be gone. */
  readonly gone: readonly string[];
}

/** What is found of them beside what a destination has. */
export interface Compared {
  readonly files: readonly ChosenFile[];
  /** Why each other one cannot be imported, in a sentence that names it. */
  readonly bad: readonly string[];
  /** How many files of the folders the destination has, or may have, that are no longer there. */
  readonly gone: number;
  /** The contents at any destination that may be the same as one of theirs, the newest first. */
  readonly known: readonly AcceptedContent[];
}

/**
 * Checks what was chosen, and compares it with what a destination has: by size and time, then by content. A file that is
 * chosen by several paths counts once. Undefined where the user cancels. @throws StoreError
 */
export function compareChosen(
  services: Services,
  { files, texts, sensitiveTexts, folders, gone: knownGone }: Chosen,
  destination: Destination,
): Promise<Compared | undefined> {
  return withDelayedProgress(l10n.t('Checking files'), async (signal, report) => {
    const onDone = (count: number) => report(l10n.t('{0} of {1}', formatCount(count), formatCount(files.length)));
    const paths = files.flatMap((file) => pathOf(file) ?? []);
    const unchanged = await unchangedFiles(services, paths, destination, signal, onDone);
    const others = files.filter((file) => !unchanged.has(pathOf(file) ?? ''));
    const onChecked = (count: number) => onDone(files.length - others.length + count);
    const results = await checkFiles(services.sources, others, maxFileBytes(), signal, { onChecked });
    const { good, bad } = goodAndBad(results.values());
    const checked = [...texts, ...good];
    const { standings, files: atDestination, known } = await compareChecked(services, checked, destination, signal);
    const ofChecked = (one: CheckedSource, file?: CollectedFile): ChosenFile => {
      const { name, relativePath, sizeBytes } = one.source;
      const standing = standings.get(one) ?? { kind: 'new' };
      const isSensitive = file?.isSensitive ?? sensitiveTexts.has(name);
      const reviewed = atDestination.get(one.source.path);
      return { relativePath, sizeBytes, standing, isSensitive, file, checked: one, reviewed };
    };
    const seen = new Set<string>();
    const isFirst = (path: string) => !seen.has(path) && seen.add(path).size > 0;
    const chosen = files.flatMap((file): ChosenFile[] => {
      const [result, path = ''] = [results.get(file), pathOf(file)];
      if (typeof result === 'object') return isFirst(result.source.path) ? [ofChecked(result, file)] : [];
      const same = unchanged.get(path);
      if (same === undefined || result !== undefined || !isFirst(path)) return [];
      const standing = { kind: 'unchanged', earlier: same.earlier } as const;
      const { relativePath, isSensitive } = file;
      const { sizeBytes } = same;
      return [{ relativePath, sizeBytes, standing, isSensitive, file, checked: undefined, reviewed: same.file }];
    });
    const gone = new Set(knownGone);
    for (const folder of folders)
      for (const path of await goneFiles(services.list, services.contents, destination, folder, signal)) gone.add(path);
    for (const standing of standings.values()) if (standing.kind === 'moved') gone.delete(standing.earlier.source.path);
    return {
      files: [...chosen, ...texts.map((text) => ofChecked(text))],
      bad,
      gone: gone.size,
      known,
    };
  });
}

/** The real path of a file on disk; undefined for any other. */
function pathOf({ stored }: CollectedFile): string | undefined {
  return stored.scheme === 'file' ? diskPath(stored) : undefined;
}
