import { FileBody } from '../../service/content/fileBody';
import { assertText, type SourceBody, textBody } from '../../service/content/sourceBody';
import { SourceError } from '../../service/errors';
import type { Source } from '../trackedTask';

/** Something that was looked at and can be sent; a text in memory comes with its bytes. */
export type CheckedSource =
  | { readonly source: Source & { readonly from: 'disk' } }
  | { readonly source: Source & { readonly from: 'memory' }; readonly bytes: Uint8Array };

/** As many bytes of texts are held in memory at most: what is not on a disk waits there until it is sent. */
export const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Looks at a file before anything is sent. @throws SourceError where it cannot be imported */
export async function checkFile(path: string, relativePath: string): Promise<CheckedSource> {
  const file = await FileBody.open(path);
  await file.close();
  return { source: { from: 'disk', path, relativePath, name: file.name, sizeBytes: file.sizeBytes } };
}

/** Looks at a text before anything is sent. `path` is what it is called. @throws SourceError where it cannot be imported */
export async function checkText(
  told: Pick<Source, 'name' | 'path' | 'relativePath'>,
  bytes: Uint8Array,
): Promise<CheckedSource> {
  await assertText(textBody(told.name, bytes));
  return { source: { from: 'memory', ...told, sizeBytes: bytes.byteLength }, bytes };
}

/** Opens what was looked at. @throws SourceError where it cannot be imported any more */
export async function openChecked(checked: CheckedSource): Promise<SourceBody> {
  return 'bytes' in checked ? textBody(checked.source.name, checked.bytes) : FileBody.open(checked.source.path);
}

/** What imports are made of, where the queue finds it. */
export class Sources {
  readonly #texts = new Map<number, Uint8Array>();

  /** How many bytes of texts are kept. */
  get heldBytes(): number {
    return [...this.#texts.values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Keeps a text for as long as its task may need it. */
  hold(key: number, bytes: Uint8Array): void {
    this.#texts.set(key, bytes);
  }

  /** Lets go of a text. */
  release(key: number): void {
    this.#texts.delete(key);
  }

  /** Lets go of the texts whose tasks are no longer tracked. */
  releaseAllBut(isTracked: (key: number) => boolean): void {
    for (const key of [...this.#texts.keys()]) if (!isTracked(key)) this.#texts.delete(key);
  }

  /** Whether a task's text or file can still be sent from here. */
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
