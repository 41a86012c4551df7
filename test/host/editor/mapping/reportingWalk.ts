import assert from 'node:assert/strict';
import { importToDataset } from '../../../../src/editor/importing/importCommands';
import type { Dataset } from '../../../../src/service/contract/dataset';
import { taskIdText } from '../../../../src/service/json/taskId';
import type { FileRow } from '../../../../src/tasks/store/model';
import { type OwnServices, ownServices } from '../../ownServices';
import { startTinyService, type TinyService } from '../../tinyService';
import { WorkspaceFiles } from '../../workspaceFiles';
import type { Input } from './scriptedUser';
import { Walk } from './walk';

const NAME = 'Own words';

/** The current test's walk. Set by {@link beforeEachWalk}. */
export let walk: ReportingWalk;

/** Starts a walk before each test. */
export function beforeEachWalk(): void {
  let services: OwnServices;
  before(async () => {
    services = await ownServices();
  });
  beforeEach(async () => {
    walk = await ReportingWalk.start(services);
  });
  afterEach(() => walk.close());
  after(() => services.dispose());
}

/** A {@link Walk} with a service that reports the statuses set by the test. */
export class ReportingWalk extends Walk {
  readonly #service: TinyService;
  /** The JSON `data` that query-task returns for each task ID, or undefined if it rejects the query. */
  readonly #reports: Map<string, string | undefined>;
  readonly #files = new WorkspaceFiles('walk');

  private constructor(services: OwnServices, service: TinyService, reports: Map<string, string | undefined>) {
    super(services);
    this.#service = service;
    this.#reports = reports;
  }

  /** Starts the service and adds it as the only dataset. */
  static async start(services: OwnServices): Promise<ReportingWalk> {
    const reports = new Map<string, string | undefined>();
    let count = 0;
    const service = await startTinyService({
      'file-task': () => {
        reports.set(`T-${++count}`, 'null');
        return `{"code":"0","message":null,"data":{"taskId":"T-${count}","user":"U"}}`;
      },
      'query-task': () => {
        const { taskId } = JSON.parse(service.requests.at(-1)?.body ?? '{}') as { taskId: string };
        const data = reports.get(taskId);
        return data === undefined
          ? '{"code":"4711","message":"Which one?","data":null}'
          : `{"code":"0","message":null,"data":${data}}`;
      },
    });
    await services.keys.set({ name: NAME, baseUrl: service.baseUrl }, 'walk-key-0123456789');
    await services.datasets.add({ name: NAME, baseUrl: service.baseUrl.href });
    return new ReportingWalk(services, service, reports);
  }

  get dataset(): Dataset {
    return this.services.datasets.find(NAME) ?? assert.fail('the dataset is missing');
  }

  get texts(): readonly string[] {
    return this.user.texts;
  }

  async row(index = 0): Promise<FileRow> {
    return (await this.rows(NAME))[index] ?? assert.fail(`no row ${index}`);
  }

  async states(): Promise<string[]> {
    return (await this.rows(NAME)).map(({ state }) => state);
  }

  async untilStates(...expected: readonly string[]): Promise<void> {
    let states: string[] = [];
    await this.passUntil(`${expected.join()} instead of ${states.join()}`, async () => {
      states = await this.states();
      return states.join() === expected.join();
    });
  }

  /** Imports files one after another. */
  async importFiles(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const known = (await this.rows(NAME)).length;
      await importToDataset(this.services, [this.#files.write(`walk ${known}.txt`, `${known}\n`)]);
      await this.passUntil('the import', async () => (await this.row(known)).import.endedMs !== null);
    }
  }

  /** Imports files as one batch. */
  async importTogether(...names: string[]): Promise<void> {
    const uris = names.map((name) => this.#files.write(name, name));
    await importToDataset(this.services, uris);
    await this.passUntil('the imports', async () =>
      (await this.rows(NAME)).every((row) => row.import.endedMs !== null),
    );
  }

  /** Sets the reports for the first task, the second task and so on, then checks all unfinished tasks. */
  async report(...reports: readonly (string | undefined)[]): Promise<void> {
    for (const [index, report] of reports.entries()) this.#reports.set(`T-${index + 1}`, report);
    const unfinished = (await this.rows(NAME)).flatMap(({ tasks }) => tasks.filter(({ endedMs }) => endedMs === null));
    const before = this.#queries.length;
    await this.services.refreshStatus({});
    await this.passUntil('the checks', async () => {
      const ended = (await this.rows(NAME)).flatMap(({ tasks }) => tasks.filter(({ endedMs }) => endedMs !== null));
      const done = [...this.#queries.slice(before), ...ended.map(({ id }) => taskIdText(id))];
      return unfinished.every(({ id }) => done.includes(taskIdText(id)));
    });
    // A failure is recorded only after a second check confirms it.
    this.services.clock.advance(10_000);
    await this.passUntil('the results', async () => (await this.rows(NAME)).every((row) => this.#isStored(row)));
    await this.showMessages();
  }

  async close(): Promise<void> {
    this.end();
    await this.services.store.remove({ files: (await this.rows(NAME)).map(({ id }) => id) });
    await this.services.datasets.remove(this.dataset);
    await this.#service.close();
    this.#files.remove();
  }

  override async click(button: string, ...script: readonly Input[]): Promise<void> {
    await super.click(button, ...script);
    await this.report();
  }

  get #queries(): string[] {
    return this.#service.requests
      .filter(({ operation }) => operation === 'query-task')
      .map(({ body }) => (JSON.parse(body) as { taskId: string }).taskId);
  }

  /** Whether the latest report on each of a row's tasks has been stored. */
  #isStored({ tasks }: FileRow): boolean {
    return tasks.every(({ id, meaning, cause }) => {
      const report = this.#reports.get(taskIdText(id));
      return report === undefined ? cause !== null : report === 'null' || (meaning !== 'none' && meaning !== null);
    });
  }
}
