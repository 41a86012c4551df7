import { type Disposable, l10n } from 'vscode';
import type { Destination } from '../../tasks/destination';
import type { ImportQueue } from '../../tasks/queue/importQueue';
import { ensureAccessKey } from '../accessKeys/enterAccessKey';
import { type DatasetDeps, hostOf } from '../datasets/findDataset';
import type { Messages } from '../platform/messages';

/** What asking about moved imports takes. */
export interface MovedDeps extends DatasetDeps {
  readonly queue: ImportQueue;
  readonly messages: Messages;
}

/** Asks where queued imports are to go whose dataset has moved, with one message a dataset. Until then they wait. */
export class MovedImports implements Disposable {
  readonly #deps: MovedDeps;
  /** The datasets that are being asked about. */
  readonly #asking = new Set<string>();

  constructor(deps: MovedDeps) {
    this.#deps = deps;
    deps.queue.events.on('moved', this.#onMoved);
  }

  dispose(): void {
    this.#deps.queue.events.off('moved', this.#onMoved);
  }

  readonly #onMoved = ({ dataset }: Destination) => {
    if (this.#asking.has(dataset)) return;
    this.#asking.add(dataset);
    void this.#ask(dataset).finally(() => this.#asking.delete(dataset));
  };

  #ask(name: string): Promise<void> {
    const { datasets, queue, messages } = this.#deps;
    const [first, ...others] = queue.movedOf(name);
    const baseUrl = datasets.find(name)?.baseUrl;
    if (first === undefined || baseUrl === undefined) return Promise.resolve();
    const count = others.length + 1;
    const [from, to] = [hostOf(first.origin), baseUrl.host];
    const words =
      count === 1
        ? l10n.t("Dataset '{0}' has moved from {1} to {2}. One file that is not uploaded yet waits.", name, from, to)
        : l10n.t(
            "Dataset '{0}' has moved from {1} to {2}. {3} files that are not uploaded yet wait.",
            name,
            from,
            to,
            count,
          );
    const send = { label: l10n.t('Send to {0}', to), run: () => this.#send(name, baseUrl.origin) };
    const cancel = {
      label: l10n.t("Don't Send"),
      run: () => {
        const waiting = new Set(queue.movedOf(name).map(({ key }) => key));
        return queue.cancel((key) => waiting.has(key));
      },
    };
    return messages.warn(words, send, cancel);
  }

  /** Only to the origin that was named: it may have moved on since. */
  async #send(name: string, origin: string): Promise<void> {
    const dataset = this.#deps.datasets.find(name);
    if (dataset?.baseUrl.origin !== origin || (await ensureAccessKey(this.#deps.keys, dataset)) === undefined) {
      // Asked again with the next look at where it is.
      return void this.#deps.queue.resume();
    }
    await this.#deps.queue.redirect({ dataset: name, origin });
  }
}
