import { FileBody } from '../../service/content/fileBody';
import { assertText, type SourceBody, textBody } from '../../service/content/sourceBody';
import { SourceError } from '../../service/errors';
import type { Source } from '../trackedTask';

/** A source that was checked and can be sent; a text in memory comes with its bytes. */
export type CheckedSource =
  | { readonly source: Source & { readonly from: 'disk' } }
  | { readonly source: Source & { readonly from: 'memory' }; readonly bytes: Uint8Array };

/** Max bytes of texts held in memory until they are sent. */
export const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Checks a file before anything is sent. @throws SourceError where it cannot be imported */
export async function checkFile(path: string, relativePath: string): Promise<CheckedSource> {
  const file = await FileBody.open(path);
  await file.close();
  return { source: { from: 'disk', path, relativePath, name: file.name, sizeBytes: file.sizeBytes } };
}

/** Checks a text in memory before anything is sent; `path` names it. @throws SourceError where it cannot be imported */
export async function checkText(
  told: Pick<Source, 'name' | 'path' | 'relativePath'>,
  bytes: Uint8Array,
): Promise<CheckedSource> {
  await assertText(textBody(told.name, bytes));
  return { source: { from: 'memory', ...told, sizeBytes: bytes.byteLength }, bytes };
}

/** Opens a checked source. @throws SourceError where it cannot be imported any more */
export async function openChecked(checked: CheckedSource): Promise<SourceBody> {
  return 'bytes' in checked ? textBody(checked.source.name, checked.bytes) : FileBody.open(checked.source.path);
}

/** Opens the sources of imports; holds the texts of those that are not on a disk. */
export class Sources {
  readonly #texts = new Map<number, Uint8Array>();

  /** How many bytes of texts are held. */
  get heldBytes(): number {
    return [...this.#texts.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Holds a text until it is released. */
  hold(key: number, bytes: Uint8Array): void {
    this.#texts.set(key, bytes);
  }

  /** A text that is held. */
  text(key: number): Uint8Array | undefined {
    return this.#texts.get(key);
  }

  release(key: number): void {
    this.#texts.delete(key);
  }

  /** Whether this window can send a task's source: any file, and a text that it holds. */
  has(key: number, { from }: Source): boolean {
    return from === 'disk' || this.#texts.has(key);
  }

  /** @throws SourceError where it cannot be imported */
  async open(key: number, source: Source): Promise<SourceBody> {
    if (source.from === 'disk') return FileBody.open(source.path);
    const bytes = this.#texts.get(key);
    if (bytes === undefined) throw new SourceError('missing', source.name);
    return textBody(source.name, bytes);
  }
}
