import assert from 'node:assert/strict';
import type { ChoosingServices } from '../../../../src/editor/choosing/importChosen';
import { importFile } from '../../../../src/editor/importing/importFile';
import { Mapping, type MappingServices } from '../../../../src/editor/mapping/mapping';
import { OfferMapping } from '../../../../src/editor/mapping/offerMapping';
import { listen } from '../../../../src/editor/platform/listen';
import type { KnownMeaning } from '../../../../src/service/contract/contract';
import type { Dataset } from '../../../../src/service/contract/dataset';
import { idsToAsk } from '../../../../src/tasks/severalTasks';
import { isOpen, type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import { type OwnParts, ownParts } from '../../ownParts';
import { untilRead, untilTasks } from '../../settled';
import { startTinyService, type TinyService } from '../../tinyService';
import { WorkspaceFiles } from '../../workspaceFiles';
import { type Input, ScriptedUser } from './scriptedUser';

/** What the service says of a task: its `data` as JSON text, in which `T-?` is the task's ID, and what that means in truth. */
export type Summary = readonly [data: string, truth: KnownMeaning];

const NAME = 'Own words';

/** Gives each test of a describe a walk of its own, which ends with it. */
export function beforeEachWalk(begin: (walk: Walk) => void): void {
  let parts: OwnParts;
  let walk: Walk;
  before(async () => {
    parts = await ownParts();
  });
  beforeEach(async () => {
    walk = await Walk.start(parts);
    begin(walk);
  });
  afterEach(async () => {
    await walk.end();
  });
  after(() => parts.dispose());
}

/**
 * A newcomer with a service, from its first response to the end of its tasks: clicks buttons of messages, and picks from
 * what the extension shows. Counts what is clicked and picked, and notes every state shown that was not the truth.
 */
export class Walk {
  /** States that were shown while the truth was another. */
  readonly wrong: string[] = [];
  readonly user = new ScriptedUser();
  readonly #parts: OwnParts;
  readonly #service: TinyService;
  readonly #told: Map<string, Summary>;
  readonly #files = new WorkspaceFiles('walk');
  readonly #deps: MappingServices & ChoosingServices;
  readonly #ending: { dispose(): void }[] = [];

  private constructor(parts: OwnParts, service: TinyService, told: Map<string, Summary>) {
    this.#parts = parts;
    this.#service = service;
    this.#told = told;
    const { picks, say, confirm } = this.user;
    const mapping = new Mapping(parts.datasets, parts.list, confirm);
    const messages = { done: say, warn: say };
    this.#deps = { ...parts, mapping, picks, messages } as unknown as MappingServices & ChoosingServices;
    this.#ending.push(
      new OfferMapping(this.#deps),
      listen(parts.list.events, 'change', (change) => this.#look(change.kind === 'tasks' ? change.tasks : [])),
    );
  }

  /** Starts the service, and adds it as the only dataset. */
  static async start(parts: OwnParts): Promise<Walk> {
    const told = new Map<string, Summary>();
    let count = 0;
    const service = await startTinyService({
      'file-task': () => {
        told.set(`T-${++count}`, ['null', 'running']);
        return `{"code":"0","message":null,"data":{"taskId":"T-${count}"}}`;
      },
      'query-task': () => {
        const { taskId } = JSON.parse(service.requests.at(-1)?.body ?? '{}') as { taskId: string };
        return `{"code":"0","message":null,"data":${told.get(taskId)?.[0].replaceAll('T-?', taskId) ?? 'null'}}`;
      },
    });
    await parts.keys.set({ name: NAME, baseUrl: service.baseUrl }, 'walk-key-0123456789');
    await parts.datasets.add({ name: NAME, baseUrl: service.baseUrl.href });
    return new Walk(parts, service, told);
  }

  get dataset(): Dataset {
    return this.#parts.datasets.find(NAME) ?? assert.fail('the dataset has gone');
  }

  /** The tasks, the first one first, as they stand. */
  get tasks(): TrackedTask[] {
    return this.#parts.list.held.filter(({ dataset }) => dataset === NAME).toReversed();
  }

  get states(): string[] {
    return this.tasks.map(taskState);
  }

  get deps(): MappingServices {
    return this.#deps;
  }

  get inputs(): number {
    return this.user.inputs;
  }

  get texts(): readonly string[] {
    return this.user.texts;
  }

  /** Imports files, one after the other. */
  async imports(count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      const known = this.tasks.length;
      const file = this.#files.write(`walk ${known}.txt`, `${known}\n`);
      await importFile(this.#deps, [file]);
      await untilTasks(this.#parts.list, known + 1, (task) => task.dataset === NAME && !isOpen(task.phase));
    }
  }

  /** Lets the service say this of its tasks, the first one first, and asks it. */
  async hears(...all: Summary[]): Promise<void> {
    for (const [index, told] of all.entries()) this.#told.set(`T-${index + 1}`, told);
    const queries = this.#queries + this.tasks.flatMap(idsToAsk).length;
    // A query that the extension sent by itself, before there was this to hear, is not sent a second time meanwhile.
    do await this.#parts.refresher.refreshAll(this.tasks, new AbortController().signal);
    while (this.#queries < queries);
    await untilRead(this.#parts.list);
  }

  get #queries(): number {
    return this.#service.requests.filter(({ operation }) => operation === 'query-task').length;
  }

  async clicks(button: string, ...script: readonly Input[]): Promise<void> {
    await this.user.clicks(button, ...script);
    await untilRead(this.#parts.list);
  }

  /** Removes the dataset with its tasks, and stops the service. */
  async end(): Promise<void> {
    for (const each of this.#ending) each.dispose();
    await this.#parts.list.remove(this.tasks.map(({ key }) => key));
    await this.#parts.datasets.remove(this.dataset);
    await this.#service.close();
    this.#files.remove();
  }

  /** Of tasks that did not change the state may be from before. */
  #look(changed: readonly TrackedTask[]): void {
    for (const task of changed.filter(({ dataset }) => dataset === NAME)) {
      const state = taskState(task);
      const [, truth] = this.#told.get(JSON.parse(task.taskId ?? '""')) ?? [];
      const isKnown = state === 'running' || state === 'succeeded' || state === 'failed';
      if (isKnown && state !== truth) this.wrong.push(`${state} while ${truth}`);
    }
  }
}
