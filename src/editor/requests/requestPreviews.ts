import { type Disposable, l10n, Uri } from 'vscode';
import { GeneratedDocuments } from '../platform/documents';
import { oneLine } from '../platform/outsideText';

/** A request as text, and as a command for a shell. The key is in neither. */
export interface RequestPreview {
  readonly text: string;
  readonly curl: string;
}

/** Requests shown as read-only documents before, or without, being sent. */
export class RequestPreviews implements Disposable {
  readonly #previews = new Map<string, RequestPreview>();
  readonly #documents = new GeneratedDocuments(
    'dataset-import-preview',
    ({ path }) => this.#previews.get(path)?.text ?? `${formatGone()}\n`,
  );

  /** Opens a preview under this name. */
  async show(name: string, preview: RequestPreview): Promise<void> {
    const path = `/${oneLine(name).replaceAll(/[\\/]/g, '_')}.txt`;
    this.#previews.set(path, preview);
    await this.#documents.show(path);
  }

  /** The preview that a document shows. */
  of(target: unknown): RequestPreview | undefined {
    return target instanceof Uri ? this.#previews.get(target.path) : undefined;
  }

  dispose(): void {
    this.#documents.dispose();
  }
}

/** VS Code keeps the tab of a preview for the next window, but not its text. */
function formatGone(): string {
  return l10n.t(
    "A preview is kept for as long as its window. Use 'Preview Import…' or 'Preview Query…' to see the request again.",
  );
}
