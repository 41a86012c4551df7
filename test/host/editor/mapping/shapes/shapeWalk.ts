import assert from 'node:assert/strict';
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
 * Simulates a new user who adds a service as a dataset, imports a file and tracks its tasks until they end, using only
 * clicks and typed text. Records every wrong result that the user sees.
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

  /** Adds the dataset, imports the file, performs the shape's steps, and waits until the displayed result is right. */
  async run(): Promise<void> {
    const { file = 'shape.txt', steps } = this.#shape;
    const { services } = this.#walk;
    const typed = [this.service.baseUrl.href, ACCESS_KEY, /.+/].map((types) => ({ types }));
    void this.user
      .answer(() => this.#walk.run('addDataset'), ...typed)
      .catch((error) => this.wrong.push(String(error)));
    await this.#walk.passUntil('the dataset', () => services.datasets.find(this.#name) !== undefined);
    await importToDataset(services, [this.#files.write(file, 'some text\n')]);
    await this.#untilSent();
    for (const step of steps) await this.#perform(step);
    const truth = this.#truth;
    await this.#walk.passUntil(`${truth} instead of ${(await this.#check()).state}`, async () => {
      return (await this.#check()).state === truth;
    });
  }

  async end(): Promise<void> {
    const { store, datasets } = this.#walk.services;
    this.#walk.end();
    await store.remove({ files: (await this.#walk.rows(this.#name)).map(({ id }) => id) });
    const dataset = datasets.find(this.#name);
    if (dataset !== undefined) await datasets.remove(dataset);
    await this.service.close();
    this.#files.remove();
  }

  #perform(step: Step): Promise<void> {
    if (typeof step === 'string') return this.#click(step);
    if (typeof step === 'number') return this.#moveTo(step);
    return 'state' in step ? this.#typeState(step.state) : this.#click(...step);
  }

  /** Moves the task to this stage and checks it twice, because a failure must be confirmed by a second check. */
  async #moveTo(stage: number): Promise<void> {
    this.service.task.stage = stage;
    for (let round = 0; round < 2; round++) {
      const before = this.service.requests.length;
      await this.#walk.services.refreshStatus({});
      if (UNFINISHED.includes((await this.#row()).state))
        await this.#walk.passUntil('a check', () => this.service.requests.length > before);
      this.#walk.services.clock.advance(10_000);
    }
    await this.#check();
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

  /** Resolves once the file isn't being sent and is queued only if the queue is paused until the user acts. */
  #untilSent(): Promise<void> {
    const { serving } = this.#walk.services;
    return this.#walk.passUntil('the import to end', async () => {
      const { state, destination } = await this.#row();
      return state !== 'sending' && (state !== 'queued' || serving.pauseOf(destination)?.untilMs === null);
    });
  }

  async #row(): Promise<FileRow> {
    const [row = assert.fail('no row'), ...others] = await this.#walk.rows(this.#name);
    assert.deepEqual(others, []);
    return row;
  }

  /** The true state of the task. */
  get #truth(): State | undefined {
    return this.#shape.reports[this.service.task.stage ?? -1]?.[1];
  }

  /** Records the result that the user sees if it is wrong. */
  async #check(): Promise<FileRow> {
    const row = await this.#row();
    const { state } = row;
    const isWrong = (state === 'succeeded' || state === 'failed') && state !== this.#truth;
    if (isWrong) this.wrong.push(`${state} instead of ${this.#truth}`);
    return row;
  }
}
