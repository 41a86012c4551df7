import { basename } from 'node:path/posix';
import { env, l10n, Uri } from 'vscode';
import { FileMatcher } from '../../files/fileMatcher';
import { inSlices } from '../../tasks/timing/inSlices';
import { type CollectedFile, collectFiles } from '../collecting/collectFiles';
import { diskPath, truePath } from '../collecting/filePaths';
import { formatLeftOut, type LeftOut, leftOutOf } from '../collecting/leftOut';
import { formatSentences } from '../platform/formatLists';
import { formatCount } from '../platform/formatNumbers';
import { fileRules, openSettings } from '../platform/settings';
import { UserError } from '../platform/userError';
import { withDelayedProgress } from '../platform/withDelayedProgress';
import type { Candidate, Chosen } from './candidate';

/** What was found of what the user chose. */
export interface Found {
  /** In natural order of their paths, as in the Explorer. */
  readonly candidates: readonly Candidate[];
  /** What the rules for folders skip. */
  readonly skipped: LeftOut;
  /** The real paths of the chosen folders on disk. */
  readonly folders: readonly string[];
  /** Real paths of known files that no longer exist. */
  readonly gone: readonly string[];
  readonly unread: readonly string[];
  /** Whether some files were found in folders, rather than chosen themselves. */
  readonly isSearched: boolean;
}

/**
 * Looks for the files; the count grows while it does. Undefined if the user cancels.
 * @throws UserError if there are none
 */
export function collect(chosen: Chosen): Promise<Found | undefined> {
  const { uris = [], texts = [], unread = [], known = { present: [], gone: [] } } = chosen;
  return withDelayedProgress(l10n.t('Looking for files'), async (signal, report) => {
    const onFound = (count: number) => report(l10n.t('{0} found', formatCount(count)));
    const present = known.present.map((path) => Uri.file(path));
    const collected = await collectFiles(uris, fileRules, signal, onFound, present);
    const files: Candidate[] = [];
    for await (const slice of inSlices(collected.files)) files.push(...slice.map(candidateOf));
    if (files.length + texts.length + unread.length + known.gone.length === 0) {
      const settings = { label: l10n.t('Open Settings'), run: () => openSettings('datasetImport.folders') };
      throw new UserError(formatSentences([formatNone(uris), ...formatLeftOut(collected)]), [settings]);
    }
    const found = new Set(collected.files.map(({ uri }) => uri.toString()));
    const folders = uris.filter((uri) => uri.scheme === 'file' && !found.has(uri.toString()));
    const given = new Set(uris.map(String));
    return {
      candidates: [...(await sorted(files)), ...textCandidates(texts)],
      skipped: leftOutOf(collected),
      folders: await Promise.all(folders.map(async (uri) => diskPath(uri.with({ path: await truePath(uri) })))),
      gone: known.gone,
      unread,
      isSearched: collected.files.some(({ uri }) => !given.has(uri.toString())),
    };
  });
}

function candidateOf({ uri, stored, relativePath, isSensitive, outside }: CollectedFile): Candidate {
  return {
    uri,
    ...(stored.scheme === 'file' && { path: diskPath(stored) }),
    name: basename(uri.path),
    relativePath,
    sizeBytes: 0,
    care: [...(isSensitive ? ['secrets' as const] : []), ...(outside === undefined ? [] : ['outside' as const])],
    ...(outside !== undefined && { outside }),
  };
}

function textCandidates(texts: NonNullable<Chosen['texts']>): Candidate[] {
  const matcher = new FileMatcher(fileRules().sensitive);
  return texts.map(({ name, bytes, uri }) => ({
    name,
    relativePath: name,
    bytes,
    sizeBytes: bytes.byteLength,
    care: matcher.isSensitive(name) || (uri !== undefined && matcher.isSensitive(uri.path)) ? ['secrets'] : [],
  }));
}

function formatNone(uris: readonly Uri[]): string {
  const [first] = uris;
  return uris.length === 1 && first !== undefined
    ? l10n.t("There are no files to import in '{0}'.", basename(first.path))
    : l10n.t('There are no files to import in these folders.');
}

/** Sorts by merging, in slices: comparing the names of 100,000 files naturally takes half a second. */
async function sorted(files: readonly Candidate[]): Promise<readonly Candidate[]> {
  const { compare } = new Intl.Collator(env.language, { numeric: true });
  const isFirst = (one: Candidate, other: Candidate) => compare(one.relativePath, other.relativePath) <= 0;
  let runs: (readonly Candidate[])[] = [];
  for await (const slice of inSlices(files)) runs.push(slice.toSorted((one, other) => (isFirst(one, other) ? -1 : 1)));
  while (runs.length > 1) {
    const merged: (readonly Candidate[])[] = [];
    for (let index = 0; index < runs.length; index += 2)
      merged.push(await merge(runs[index] ?? [], runs[index + 1] ?? [], isFirst));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Item>(
  left: readonly Item[],
  right: readonly Item[],
  isFirst: (one: Item, other: Item) => boolean,
): Promise<readonly Item[]> {
  const merged: Item[] = [];
  let next = 0;
  for await (const slice of inSlices(left))
    for (const one of slice) {
      for (let other = right[next]; other !== undefined && !isFirst(one, other); other = right[next]) {
        merged.push(other);
        next += 1;
      }
      merged.push(one);
    }
  return [...merged, ...right.slice(next)];
}
