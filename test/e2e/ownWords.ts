import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox';
import type { Workbench } from './workbench';

/** The sandbox with odd names. Its tasks stand still until the test moves its clock on. */
export class OwnWords {
  readonly accessKey: string;
  readonly #clock: { nowMs: number };
  readonly #sandbox: Sandbox;

  private constructor(clock: { nowMs: number }, sandbox: Sandbox) {
    this.accessKey = sandbox.accessKey;
    this.#clock = clock;
    this.#sandbox = sandbox;
  }

  static async start(): Promise<OwnWords> {
    const clock = { nowMs: 0 };
    return new OwnWords(clock, await startSandbox({ profile: 'oddNames', now: () => clock.nowMs }));
  }

  get url(): string {
    return this.#sandbox.baseUrl;
  }

  /** The name that its dataset has at first. */
  get host(): string {
    return new URL(this.url).host;
  }

  get requests(): Sandbox['requests'] {
    return this.#sandbox.requests;
  }

  /** The bodies of the queries, as they came. */
  get queries(): readonly string[] {
    return this.requests.filter(({ target }) => target.endsWith('/query-task')).map(({ body }) => body.start);
  }

  /** The file-task requests. */
  get imports(): Sandbox['requests'] {
    return this.requests.filter(({ target }) => target.endsWith('/file-task'));
  }

  /** What the pattern's group finds in the response to the last import, to the digit. */
  lastId(pattern: RegExp): string {
    const response = this.imports.at(-1)?.response;
    const [, id] = (response?.kind === 'sent' && pattern.exec(response.body)) || [];
    if (id === undefined) throw new Error(`There is no ${pattern} in ${JSON.stringify(response)}`);
    return id;
  }

  /** Brings the tasks there are to their end. */
  moveOn(): void {
    this.#clock.nowMs += 10_000;
  }

  async close(): Promise<void> {
    await this.#sandbox.close();
  }
}

interface Service {
  readonly url: string;
  readonly accessKey: string;
}

/** What a person does to make a service usable, by clicks and typing alone. Counts what is picked from its answers. */
export class Newcomer {
  picks = 0;
  readonly #workbench: Workbench;
  readonly #dataset: string;

  constructor(workbench: Workbench, dataset: string) {
    this.#workbench = workbench;
    this.#dataset = dataset;
  }

  /** Imports a file from the Explorer, and adds its dataset on the way. */
  async importFirst(fileName: string, service: Service): Promise<void> {
    const { quickInput, explorer } = this.#workbench;
    await explorer.chooseFor('Import to Dataset…', fileName);
    await quickInput.waitFor(`Import '${fileName}'`);
    await quickInput.pick('Add Dataset…');
    await this.#tellOf(service);
  }

  /** Imports a file from the Explorer to the dataset, which is one of several. */
  async importFile(fileName: string): Promise<void> {
    await this.#workbench.explorer.chooseFor('Import to Dataset…', fileName);
    await this.#workbench.quickInput.waitFor('Select a dataset');
    await this.#workbench.quickInput.pick(this.#dataset);
  }

  /** Chooses a button of a message. */
  async follow(says: string | RegExp, button: string): Promise<void> {
    await (await this.#workbench.notifications.waitFor(says)).click(button);
  }

  /** Picks one of what is asked; it counts where it is the last of its questions. */
  async pick(asks: string, choice: string, then: 'done' | 'asks more' = 'done'): Promise<void> {
    const { quickInput } = this.#workbench;
    await quickInput.waitFor(asks);
    await quickInput.pick(choice);
    if (then === 'asks more') return;
    await quickInput.closed();
    this.picks++;
  }

  /** Answers a message that asks what a status means. */
  async sayWhatItMeans(status: string, meaning: 'Running' | 'Succeeded' | 'Failed'): Promise<void> {
    await this.follow(`${this.#dataset} reports status '${status}'`, meaning);
    this.picks++;
  }

  /** Gives a status a meaning in the table of all statuses, once that is open; without one, takes its meaning back. */
  async changeMeaning(status: string, meaning?: 'Running' | 'Succeeded' | 'Failed'): Promise<void> {
    const { quickInput } = this.#workbench;
    await quickInput.waitFor(`Statuses of dataset '${this.#dataset}'`);
    // After Failed comes no meaning.
    await quickInput.press(status, meaning ?? 'Failed');
    await quickInput.waitForRow(status, `${meaning ?? 'Failed'} (chosen)`);
    if (meaning === undefined) {
      await quickInput.pick(status);
      await quickInput.waitForRow(status, 'not recognized');
    }
    await quickInput.pick('Save');
    await quickInput.closed();
  }

  /** Changes the part of the request whose box is open, as the service has named it; gives what typing began with. */
  async editPart(part: string, typed?: string): Promise<string> {
    const { quickInput } = this.#workbench;
    await quickInput.waitFor(part);
    const began = await quickInput.value();
    if (typed !== undefined) await quickInput.type(typed);
    await quickInput.accept();
    await quickInput.closed();
    return began;
  }

  async #tellOf({ url, accessKey }: Service): Promise<void> {
    const { quickInput } = this.#workbench;
    await quickInput.answer('Enter the base URL of the service.', url);
    await quickInput.answer('Paste the access key', accessKey);
  }
}
