import type { Disposable, LogOutputChannel } from 'vscode';
import { runCommand } from '../../../../src/editor/commands';
import { OfferMapping, SETTLED_MS } from '../../../../src/editor/mapping/offerMapping';
import { resumeAfterRejections } from '../../../../src/editor/mapping/resumeAfterRejections';
import { commandTitle } from '../../../../src/editor/platform/actions';
import type { Messages } from '../../../../src/editor/platform/messages';
import type { Services } from '../../../../src/editor/services';
import { Announcer, PauseMessages, type StepAction } from '../../../../src/editor/tasksView/announcements';
import type { BatchPages } from '../../../../src/editor/tasksView/batchPage';
import type { DetailsDocuments } from '../../../../src/editor/tasksView/details';
import type { FileRow } from '../../../../src/tasks/store/model';
import type { OwnServices } from '../../ownServices';
import { until } from '../../until';
import { type Input, ScriptedUser } from './scriptedUser';

/**
 * Simulates a new user who only clicks buttons in messages and picks from lists. The commands, the messages and the store
 * are real.
 */
export class Walk {
  readonly user = new ScriptedUser();
  readonly services: OwnServices;
  readonly #commandServices: Services;
  readonly #announcer: Announcer;
  readonly #pauses: PauseMessages;
  readonly #mapping: OfferMapping;
  readonly #resuming: Disposable;

  constructor(own: OwnServices) {
    const { picks, confirm, showUntilClicked } = this.user;
    const error = (thrown: unknown) => showUntilClicked(String(thrown));
    const messages = { done: showUntilClicked, warn: showUntilClicked, error, note: () => {} } as unknown as Messages;
    const services = { ...own, picks, confirm, messages };
    this.services = services;
    const nothing = { show: async () => {} };
    this.#commandServices = {
      ...services,
      details: nothing as unknown as DetailsDocuments,
      batchPages: nothing as unknown as BatchPages,
      log: nothing as unknown as LogOutputChannel,
    };
    const stepAction: StepAction = (step, target) => ({ label: commandTitle(step), run: () => this.run(step, target) });
    const { store, clock } = services;
    this.#announcer = new Announcer(store, messages, stepAction, () => clock.now());
    this.#pauses = new PauseMessages(messages, stepAction);
    // The store uses the real time. Its rows should seem not to have changed lately.
    this.#mapping = new OfferMapping(services, stepAction, () => Date.now() + 2 * SETTLED_MS);
    this.#resuming = resumeAfterRejections(services);
  }

  /** Runs a command on a row, a group or a dataset. */
  async run(command: string, target?: unknown): Promise<void> {
    await runCommand(this.#commandServices, command, target === undefined ? [] : [target], []);
  }

  /** A dataset's rows, oldest first. */
  async rows(dataset: string): Promise<readonly FileRow[]> {
    const rows = await this.services.store.rowsAfter({ filter: {}, after: 0, limit: 100 });
    return rows.filter((row) => row.dataset === dataset);
  }

  /** Advances the clock one second at a time and shows new messages, until a condition holds. */
  async passUntil(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    await until(what, async () => {
      if (await condition()) return true;
      this.services.clock.advance(1000);
      await this.services.serving.turn();
      await this.showMessages();
      return condition();
    });
  }

  /** Shows the messages that are due. */
  async showMessages(): Promise<void> {
    const { serving, clock } = this.services;
    const { destinations } = serving;
    const held = destinations.filter(({ id }) => serving.isServing(id));
    void this.#announcer.announce(
      destinations,
      held.map(({ id }) => id),
    );
    this.#pauses.update(
      held.map((one) => ({ ...one, why: one.pause ?? undefined })),
      clock.now(),
    );
    await this.#mapping.update();
  }

  /** Waits for a message with this button, and clicks it. */
  async click(button: string, ...script: readonly Input[]): Promise<void> {
    await this.passUntil(`the button '${button}' among ${this.user.texts.join(' | ')}`, () =>
      this.user.hasButton(button),
    );
    await this.user.click(button, ...script);
  }

  end(): void {
    this.#resuming.dispose();
  }
}
