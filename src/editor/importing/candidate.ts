import type { Uri } from 'vscode';
import type { Dataset } from '../../service/contract/dataset';
import type { Compared } from '../../tasks/comparing/compareFiles';
import type { CheckedSource } from '../../tasks/sending/checkedSource';
import type { Services } from '../services';

/** The services that imports need. */
export type ImportServices = Pick<Services, 'store' | 'files' | 'serving' | 'clock' | 'messages' | 'textsFolder'> &
  Pick<Services, 'datasets' | 'keys' | 'sandbox' | 'picks' | 'confirm' | 'memory'>;

/** The files, folders and text that the user chose. */
export interface Chosen {
  /** Files and folders. */
  readonly uris?: readonly Uri[];
  readonly texts?: readonly ChosenText[];
  /** For each item that couldn't be read, a sentence that explains why. */
  readonly unread?: readonly string[];
  /** If undefined, use the default dataset. If there is no default either, let the user pick a dataset. */
  readonly dataset?: Dataset;
  /** The ID of the dataset's batch to continue. */
  readonly batch?: number;
  /** The folders, with their stored paths, whose batches the files belong to, by the files' URIs. */
  readonly folders?: ReadonlyMap<string, { readonly uri: Uri; readonly path: string } | undefined>;
  /** The batch's name. */
  readonly label?: string;
  /** Initially select only new and changed files, as Import Changes… does. */
  readonly onlyChanges?: boolean;
  /** Always show the list. */
  readonly isShown?: boolean;
  /** The names and relative paths to send for some of the files, by URI. */
  readonly names?: ReadonlyMap<string, Pick<Candidate, 'name' | 'relativePath'>>;
  /** The stored paths of files to compare even if the folder's rules skip them, or to list as missing. */
  readonly known?: readonly string[];
}

/** Text that isn't in a file. */
export interface ChosenText {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** The document that contains the text. Its path may suggest that the text contains secrets. */
  readonly uri?: Uri;
}

/**
 * A file or piece of text that may be imported. Its properties are filled in step by step as it is collected, checked
 * and compared.
 */
export interface Candidate extends Partial<Compared> {
  /** Undefined for text that isn't in a file. */
  readonly uri?: Uri;
  /** The real path, if the file is on disk. */
  readonly path?: string;
  readonly name: string;
  readonly relativePath: string;
  readonly bytes?: Uint8Array;
  readonly sizeBytes: number;
  /** Why the file isn't selected initially even though it can be imported, such as "may contain secrets". */
  readonly care: readonly string[];
  /** Undefined for a file that wasn't opened because its size and modification time are unchanged. */
  readonly checked?: CheckedSource;
  /** A sentence that explains why the file can't be imported. */
  readonly fault?: string;
}
