import { l10n, Uri } from 'vscode';
import type { GeneratedDocuments } from '../platform/documents';
import { oneLine } from '../platform/outsideText';

/** A request as text and as a curl command, both without the access key. */
export interface RequestPreview {
  readonly text: string;
  readonly curl: string;
}

/** Requests as read-only documents. */
export class RequestPreviews {
  readonly #previews = new Map<string, RequestPreview>();
  readonly #documents: GeneratedDocuments;

  constructor(documents: GeneratedDocuments) {
    this.#documents = documents;
    documents.provide(({ path }) => this.#previews.get(path)?.text ?? `${formatLost()}\n`);
  }

  /** Opens a preview under this name. */
  async show(name: string, preview: RequestPreview): Promise<void> {
    const path = `/${oneLine(name).replaceAll(/[\\/]/g, '_')}.txt`;
    this.#previews.set(path, preview);
    await this.#documents.show(path);
  }

  /** The preview that a document shows. */
  of(target: unknown): RequestPreview | undefined {
    const isPreview = target instanceof Uri && target.scheme === this.#documents.scheme;
    return isPreview ? this.#previews.get(target.path) : undefined;
  }
}

/** The text of a tab that VS Code restored in a new window, where the preview no longer exists. */
function formatLost(): string {
  return l10n.t(
    'This preview is no longer available. Use Preview Import… or Preview Status Check… to see the request again.',
  );
}
