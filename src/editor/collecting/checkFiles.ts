import { l10n } from 'vscode';
import { formatSize } from '../platform/formatNumbers';

/** Max bytes of one import's files that are not on disk: they are in memory until they are queued. */
export const MAX_READ_BYTES = 256 * 1024 * 1024;

/** The content of a file whose path is unknown. */
export interface UnsavedText {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Why a file is too large. */
export function formatTooLarge(name: string, sizeBytes: number, maxBytes: number): string {
  return l10n.t(
    "'{0}' is too large ({1}). The setting 'datasetImport.maxFileSizeMB' allows {2}.",
    name,
    formatSize(sizeBytes),
    formatSize(maxBytes),
  );
}

/** Why a file that is not on disk cannot be read into memory. */
export function formatNoMemory(name: string): string {
  return l10n.t(
    "'{0}' was skipped. Files that are not on disk are read into memory, {1} at a time. Import it after the others.",
    name,
    formatSize(MAX_READ_BYTES),
  );
}
