import type { Standing, StandingKind } from '../../tasks/comparing/compareFiles';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import type { CollectedFile } from '../files/collectFiles';

/** A file or text that can be imported, and what speaks for or against it. */
export interface ChosenFile {
  readonly relativePath: string;
  readonly sizeBytes: number;
  readonly standing: Standing;
  /** Undefined for a text without a file. */
  readonly file: CollectedFile | undefined;
  /** Undefined for a file that has not changed by its size and time: it was not opened. */
  readonly checked: CheckedSource | undefined;
}

/** What the files of a list have in common. */
export type GroupKind = Exclude<StandingKind, 'open'> | 'sensitive' | 'outside' | 'unconfirmed';

/** The group of a file; undefined where it cannot be chosen, as it is being imported. */
export function groupKindOf({ standing, file }: ChosenFile): GroupKind | undefined {
  const { kind } = standing;
  if (kind === 'open') return undefined;
  if (kind === 'failed' && standing.task.phase.kind === 'unconfirmed') return 'unconfirmed';
  const isToSend = kind === 'new' || kind === 'changed' || kind === 'failed';
  if (isToSend && file?.isSensitive) return 'sensitive';
  return isToSend && file?.outside !== undefined ? 'outside' : kind;
}
