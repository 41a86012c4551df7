import type { Uri } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Compared } from '../../tasks/comparing/compareFiles';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import type { Services } from '../services';

/** What imports work with. */
export type ImportServices = Pick<
  Services,
  | 'datasets'
  | 'keys'
  | 'picks'
  | 'sandbox'
  | 'messages'
  | 'clock'
  | 'store'
  | 'files'
  | 'serving'
  | 'confirm'
  | 'memory'
  | 'textsFolder'
>;

/** What the user chose to import. */
export interface Chosen {
  /** Files and folders. */
  readonly uris?: readonly Uri[];
  readonly texts?: readonly ChosenText[];
  /** Why other things couldn't be read, each in a sentence. */
  readonly unread?: readonly string[];
  /** Without one, the default, or the dataset that the user picks. */
  readonly dataset?: Dataset;
  /** The name of the batch. */
  readonly label?: string;
  /** Whether only new and changed files are selected at first. */
  readonly onlyChanges?: boolean;
  /** Whether the list is shown even if none of the files are new or changed. */
  readonly isShown?: boolean;
  /** Real paths of files to compare, whatever the rules say, and of known files that no longer exist. */
  readonly known?: { readonly present: readonly string[]; readonly gone: readonly string[] };
}

/** A text that is in no file. */
export interface ChosenText {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Its path or source, which may show that it holds secrets. */
  readonly uri?: Uri;
}

/** Why a file isn't selected at first, although it may be imported. */
export type Care = 'secrets' | 'outside' | 'binary';

/** A file or text on its way from the click to the queue. Each step adds what it finds out. */
export interface Candidate extends Partial<Compared> {
  /** Undefined for a text. */
  readonly uri?: Uri;
  /** The real path of a file on disk. */
  readonly path?: string;
  readonly name: string;
  readonly relativePath: string;
  readonly bytes?: Uint8Array;
  readonly sizeBytes: number;
  readonly care: readonly Care[];
  /** The target of a link that leads out of the workspace. */
  readonly outside?: string;
  /** Undefined for a file that is unchanged by its size and time: it wasn't opened. */
  readonly checked?: CheckedSource;
  /** Why it can't be imported, in a sentence. */
  readonly fault?: string;
}
