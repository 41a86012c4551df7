import assert from 'node:assert/strict';
import type { Uri } from 'vscode';
import { importToDataset } from '../../../../../src/editor/importing/importCommands';
import type { FileRow, State } from '../../../../../src/tasks/store/model';
import type { OwnServices } from '../../../ownServices';
import { WorkspaceFiles } from '../../../workspaceFiles';
import type { Input } from '../scriptedUser';
import { Walk } from '../walk';
import type { Shape, Step } from './shape';
import { ACCESS_KEY, type ShapeService, startShapeService } from './shapeService';

const UNFINISHED: readonly State[] = ['waiting', 'running', 'unknown'];

/**
 * Simulates a new user who adds a service as a dataset and tracks its tasks until they end, using only clicks and typed
 * text. Records every wrong result that the user sees.
 */
export class ShapeWalk {
  /** The number of state expressions that the user has typed. */
  expressions = 0;
  readonly wrong: string[] = [];
  readonly service: ShapeService;
  readonly #walk: Walk;
  readonly #shape: Shape;
  readonly #name: string;
  readonly #files = new WorkspaceFiles('shapes');
  #written = 0;

  private constructor(services: OwnServices, shape: Shape, service: ShapeService) {
    this.#walk = new Walk(services);
    this.#shape = shape;
    this.service = service;
    this.#name = service.baseUrl.host;
  }

  static async start(services: OwnServices, shape: Shape): Promise<ShapeWalk> {
    return new ShapeWalk(services, shape, await startShapeService(shape));
  }

  get user() {
    return this.#walk.user;
  }

  /**
   * Adds the dataset, imports the first files, performs the shape's steps, and waits until the displayed results are
   * right.
   */
  async run(): Promise<void> {
    const { firstKey = ACCESS_KEY, files = 1, steps } = this.#shape;
    const typed = [this.service.baseUrl.href, firstKey, /.+/].map((types) => ({ types }));
    void this.user
      .answer(() => this.#walk.run('addDataset'), ...typed)
      .catch((error) => this.wrong.push(String(error)));
    await this.#walk.passUntil('the dataset', () => this.#walk.services.datasets.find(this.#name) !== undefined);
    await this.#import(files);
    for (const step of steps) await this.#perform(step);
    await this.#walk.passUntil(`the right results: ${await this.#shownStates()}`, async () => {
      this.#check(await this.#rows());
      return (await this.#rows()).every((row) => row.state === this.service.truthOf(row.name));
    });
  }

  async end(): Promise<void> {
    const { store, datasets } = this.#walk.services;
    this.#walk.end();
    await store.remove({ files: (await this.#rows()).map(({ id }) => id) });
    const dataset = datasets.find(this.#name);
    if (dataset !== undefined) await datasets.remove(dataset);
    await this.service.close();
    this.#files.remove();
  }

  #perform(step: Step): Promise<void> {
    if (typeof step === 'string') return this.#click(step);
    if (typeof step === 'number') return this.#moveTo(step);
    if ('state' in step) return this.#typeState(step.state);
    return isStages(step) ? this.#moveTo(...step) : this.#click(...step);
  }

  /** Imports files in one batch. Selecting the files isn't counted in `user.picked`. */
  async #import(count: number): Promise<void> {
    const uris = Array.from({ length: count }, (): Uri => {
      const number = ++this.#written;
      return this.#files.write(this.#shape.file?.(number) ?? `shape ${number}.txt`, `file ${number}\n`);
    });
    const dataset = this.#walk.services.datasets.find(this.#name) ?? assert.fail();
    const { services } = this.#walk;
    await importToDataset({ ...services, picks: this.user.picks }, uris);
    assert.equal((await this.#rows()).length, this.#written, dataset.name);
    await this.#untilSent();
  }

  /** Moves the tasks to these stages and checks each task twice, because a failure must be confirmed by a second check. */
  async #moveTo(...stages: number[]): Promise<void> {
    for (const [index, task] of [...this.service.tasks.values()].entries())
      task.stage = stages[Math.min(index, stages.length - 1)] ?? task.stage;
    for (let round = 0; round < 2; round++) {
      const before = this.service.requests.length;
      await this.#walk.services.refreshStatus({});
      const isUnfinished = (await this.#rows()).some(({ state }) => UNFINISHED.includes(state));
      if (isUnfinished) await this.#walk.passUntil('a check', () => this.service.requests.length > before);
      this.#walk.services.clock.advance(10_000);
    }
    this.#check(await this.#rows());
  }

  async #click(button: string, ...script: Input[]): Promise<void> {
    await this.#walk.click(button, ...script);
    await this.#untilSent();
  }

  /** Types the state expression into its box. The picks that open the box aren't counted in `user.picked`. */
  async #typeState(expression: string): Promise<void> {
    const { picked } = this.user;
    this.user.inputs++;
    this.expressions++;
    const dataset = this.#walk.services.datasets.find(this.#name) ?? assert.fail();
    const run = () => this.#walk.run('mapResponses', { dataset });
    await this.user.answer(run, 'State Expression…', /^(?:Type an|Edit the) Expression$/, { types: expression });
    this.user.picked = picked;
  }

  /** Resolves once nothing is being sent and any queued imports are paused until the user acts. */
  #untilSent(): Promise<void> {
    const { serving } = this.#walk.services;
    return this.#walk.passUntil('the imports to end', async () =>
      (await this.#rows()).every(
        ({ state, destination }) =>
          state !== 'sending' && (state !== 'queued' || serving.pauseOf(destination)?.untilMs === null),
      ),
    );
  }

  #rows(): Promise<readonly FileRow[]> {
    return this.#walk.rows(this.#name);
  }

  async #shownStates(): Promise<string> {
    return (await this.#rows()).map(({ name, state }) => `${name} ${state}`).join(', ');
  }

  /** Records any wrong results that the user sees. */
  #check(rows: readonly FileRow[]): void {
    for (const { name, state } of rows) {
      const truth = this.service.truthOf(name);
      if ((state === 'succeeded' || state === 'failed') && state !== truth)
        this.wrong.push(`${name}: ${state} instead of ${truth}`);
    }
  }
}

function isStages(step: Step & readonly unknown[]): step is readonly number[] {
  return typeof step[0] === 'number';
}
