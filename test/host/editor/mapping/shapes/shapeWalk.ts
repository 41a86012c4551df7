import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import type { ChoosingServices } from '../../../../../src/editor/choosing/importChosen';
import { addDataset } from '../../../../../src/editor/datasets/addDataset';
import type { ReportServices } from '../../../../../src/editor/importing/helpAfterImport';
import { importFile } from '../../../../../src/editor/importing/importFile';
import { reportRuns } from '../../../../../src/editor/importing/reportImport';
import { reportPauses } from '../../../../../src/editor/importing/reportPause';
import { Mapping, type MappingServices } from '../../../../../src/editor/mapping/mapping';
import { mapResponses } from '../../../../../src/editor/mapping/mapResponses';
import { OfferMapping } from '../../../../../src/editor/mapping/offerMapping';
import { listen } from '../../../../../src/editor/platform/listen';
import { clicked } from '../../../../../src/editor/targets';
import { idsToAsk } from '../../../../../src/tasks/severalTasks';
import { isOpen, isUnfinished, type TrackedTask, taskState } from '../../../../../src/tasks/trackedTask';
import type { OwnParts } from '../../../ownParts';
import { untilRead } from '../../../settled';
import { WorkspaceFiles } from '../../../workspaceFiles';
import { type Input, ScriptedUser } from '../scriptedUser';
import type { Shape, Step } from './shape';
import { ACCESS_KEY, ShapeService } from './shapeService';

type Deps = ChoosingServices & ReportServices & MappingServices;

/**
 * A newcomer with a service, from adding its dataset to the end of its tasks, by clicks and typing alone: buttons of
 * messages, rows of Quick Picks, texts of input boxes. Counts each as one input, and notes every end shown that was not
 * the truth.
 */
export class ShapeWalk {
  /** State expressions that were typed. */
  expressions = 0;
  readonly wrong: string[] = [];
  readonly user = new ScriptedUser();
  readonly service: ShapeService;
  readonly #parts: OwnParts;
  readonly #shape: Shape;
  readonly #name: string;
  readonly #files = new WorkspaceFiles('shapes');
  readonly #deps: Deps;
  readonly #ending: { dispose(): void }[] = [];
  readonly #waiting = new Set<() => void>();
  #endedImports = 0;

  private constructor(parts: OwnParts, shape: Shape, service: ShapeService) {
    this.#parts = parts;
    this.#shape = shape;
    this.service = service;
    this.#name = service.baseUrl.host;
    const { picks, say, confirm } = this.user;
    const messages = { done: say, warn: say, error: (error: unknown) => say(String(error)) };
    const announcements = { imported: say, done: say, problem: say };
    const mapping = new Mapping(parts.datasets, parts.list, confirm);
    this.#deps = { ...parts, mapping, picks, messages, announcements } as unknown as Deps;
    this.#ending.push(
      new OfferMapping(this.#deps),
      reportRuns(this.#deps),
      reportPauses(this.#deps),
      listen(parts.queue.events, 'paused', () => {
        this.#endedImports += 1;
        this.#look();
      }),
      listen(parts.queue.events, 'ended', (run) => {
        this.#endedImports += run.results.length;
        this.#look();
      }),
      listen(parts.list.events, 'change', () => this.#look()),
    );
  }

  /** Starts the service; no dataset is there yet. */
  static async start(parts: OwnParts, shape: Shape): Promise<ShapeWalk> {
    return new ShapeWalk(parts, shape, await ShapeService.start(shape));
  }

  /** The tasks, the first one first. */
  get tasks(): TrackedTask[] {
    return this.#parts.list.held.filter(({ dataset }) => dataset === this.#name).toReversed();
  }

  get states(): string[] {
    return this.tasks.map(taskState);
  }

  /** The truth about each task. */
  get truths(): (string | undefined)[] {
    return this.tasks.map(({ source }) => this.service.truthOf(source?.name ?? ''));
  }

  /** Adds the dataset, imports the first files and takes the steps of the shape. */
  async run(): Promise<void> {
    const { firstKey = ACCESS_KEY, files = 1, steps } = this.#shape;
    const typed = [this.service.baseUrl.href, firstKey, /.+/].map((types) => ({ types }));
    await this.user.gives(() => addDataset(this.#deps), ...typed);
    await this.#imports(files);
    for (const step of steps) await this.#takes(step);
  }

  #takes(step: Step): Promise<void> {
    if (typeof step === 'string') return this.#clicks(step);
    if (typeof step === 'number') return this.#comes(step);
    if ('imports' in step) return this.#imports(step.imports);
    if ('state' in step) return this.#typesState(step.state);
    return isStages(step) ? this.#comes(...step) : this.#clicks(...step);
  }

  /** Imports files together; which of them the user clicks is not counted. */
  async #imports(count: number): Promise<void> {
    const uris = Array.from({ length: count }, (): Uri => {
      const number = this.#written++;
      const name = this.#shape.file?.(number + 1) ?? `shape ${number + 1}.txt`;
      return this.#files.write(name, `file ${number + 1}\n`);
    });
    await importFile(this.#deps, uris);
    await this.#importsEnd();
    await untilRead(this.#parts.list);
  }

  /** Lets the tasks come to these stages, and time pass until they are asked about. */
  async #comes(...stages: number[]): Promise<void> {
    for (const [index, life] of [...this.service.lives.values()].entries())
      life.stage = stages[Math.min(index, stages.length - 1)] ?? life.stage;
    await this.#checks();
    // The extension records a failure once a second check, 10 s later, has confirmed it.
    this.#parts.clock.advance(10_000);
    await this.#checks();
  }

  async #checks(): Promise<void> {
    const asked = this.tasks.filter(isUnfinished);
    const queries = this.service.queries.length + asked.flatMap(idsToAsk).length;
    // A query that the extension sent by itself, before there was this to hear, is not sent a second time meanwhile.
    do await this.#parts.refresher.refreshAll(asked, new AbortController().signal);
    while (this.service.queries.length < queries);
    await untilRead(this.#parts.list);
  }

  /** Clicks a button of a message, which may show only after several reads of the task database. */
  async #clicks(button: string, ...script: Input[]): Promise<void> {
    for (let read = 0; read < MAX_READS && !this.user.hasButton(button); read++) await untilRead(this.#parts.list);
    await this.user.clicks(button, ...script);
    await this.#importsEnd();
    await untilRead(this.#parts.list);
  }

  /** Types the state expression into the box of Map Responses; nothing is picked on the way but the box. */
  async #typesState(expression: string): Promise<void> {
    const { picked } = this.user;
    this.user.inputs++;
    this.expressions++;
    const dataset = this.#parts.datasets.find(this.#name) ?? assert.fail();
    const run = () => mapResponses(this.#deps, clicked({ dataset }));
    await this.user.gives(run, 'State Expression…', /^(?:Type an|Edit the) Expression$/, { types: expression });
    this.user.picked = picked;
    await untilRead(this.#parts.list);
  }

  async end(): Promise<void> {
    for (const each of this.#ending) each.dispose();
    await this.#parts.list.remove(this.tasks.map(({ key }) => key));
    const dataset = this.#parts.datasets.find(this.#name);
    if (dataset !== undefined) await this.#parts.datasets.remove(dataset);
    await this.service.close();
    this.#files.remove();
  }

  #written = 0;

  /** Resolves once all that was sent has come to an end, and the message about it shows. */
  #importsEnd(): Promise<void> {
    const waits = (task: TrackedTask) => this.#parts.queue.pauseOf(task)?.untilMs === Number.POSITIVE_INFINITY;
    return new Promise((resolve) => {
      const look = () => {
        const isSending = this.tasks.some((task) => isOpen(task.phase) && !waits(task));
        if (isSending || this.#endedImports < this.service.imports.length) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** What is shown as ended must have ended so. */
  #look(): void {
    for (const task of this.tasks) {
      const state = taskState(task);
      const truth = this.service.truthOf(task.source?.name ?? '');
      if ((state === 'succeeded' || state === 'failed') && state !== truth)
        this.wrong.push(`${task.source?.name}: ${state} while ${truth}`);
    }
    for (const look of this.#waiting) look();
  }
}

/** Max reads of the task database before a message shows. */
const MAX_READS = 20;

function isStages(step: Step & readonly unknown[]): step is readonly number[] {
  return typeof step[0] === 'number';
}
