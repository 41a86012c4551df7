import assert from 'node:assert/strict';
import {
  extraHeaders,
  filePart,
  formFields,
  partFault,
  queryBody,
  typedValue,
} from '../../../../src/editor/requests/requestParts';
import { type Sandbox, type SandboxProfileId, startSandbox } from '../../../../src/sandbox/sandbox';
import type { Contract, StatusMeaning } from '../../../../src/service/contract/contract';
import type { Dataset } from '../../../../src/service/contract/dataset';
import type { ResponseField } from '../../../../src/service/response/recognition';
import { responseLeaves } from '../../../../src/service/response/responseLeaves';
import { responseData } from '../../../../src/tasks/following/rereadResponses';
import { type TrackedTask, taskState } from '../../../../src/tasks/trackedTask';
import type { Parts } from '../../activated';

/** Where a part of the request is edited, as "Edit Request…" lists it. */
const requestParts = {
  filePart: (contract: Contract) => filePart(contract),
  queryBody: (contract: Contract) => queryBody(contract, undefined),
  formField: (contract: Contract, name: string) => formFields(contract).part(name),
  header: (contract: Contract, name: string) => extraHeaders(contract).part(name),
} as const;

/**
 * Makes a service usable as a person does who has just added its dataset: by what the picks and boxes of the extension
 * do when they are answered. Counts what is picked from answers.
 */
export class Newcomer {
  picks = 0;
  readonly #parts: Parts;
  readonly #sandbox: Sandbox;
  readonly #clock: { nowMs: number };
  readonly #importFile: () => Promise<TrackedTask>;
  #key = 0;

  private constructor(
    parts: Parts,
    sandbox: Sandbox,
    clock: { nowMs: number },
    importFile: () => Promise<TrackedTask>,
  ) {
    this.#parts = parts;
    this.#sandbox = sandbox;
    this.#clock = clock;
    this.#importFile = importFile;
  }

  /** Starts the service, which knows its tasks by ids made of this UUID, and adds it as the only dataset. */
  static async start(
    parts: Parts,
    profile: SandboxProfileId,
    uuid: string,
    importFile: () => Promise<TrackedTask>,
  ): Promise<Newcomer> {
    const clock = { nowMs: 0 };
    const sandbox = await startSandbox({ profile, now: () => clock.nowMs, newUuid: () => uuid });
    const baseUrl = new URL(sandbox.baseUrl);
    await parts.keys.set({ name: profile, baseUrl }, sandbox.accessKey);
    await parts.datasets.add({ name: profile, baseUrl: sandbox.baseUrl });
    assert.deepEqual(
      parts.datasets.all.map(({ name }) => name),
      [profile],
    );
    return new Newcomer(parts, sandbox, clock, importFile);
  }

  get dataset(): Dataset {
    return this.#parts.datasets.default ?? assert.fail('the dataset has gone');
  }

  /** The latest import, as it stands now. */
  get task(): TrackedTask {
    return this.#parts.list.get(this.#key) ?? assert.fail('nothing was imported');
  }

  /** The bodies of the queries, as they came. */
  get queries(): string[] {
    return this.#sandbox.requests.filter(({ target }) => target.endsWith('/query-task')).map(({ body }) => body.start);
  }

  /** Imports the file, and expects this of it. */
  async imports(ends: 'accepted' | 'rejected'): Promise<void> {
    this.#key = (await this.#importFile()).key;
    assert.equal(this.task.phase.kind, ends, JSON.stringify(this.task));
  }

  /** Lets the service come to its end with all it has, and asks it. */
  async refreshesAtTheEnd(): Promise<void> {
    this.#clock.nowMs += 10_000;
    await this.refreshes();
  }

  async refreshes(): Promise<void> {
    await this.#parts.refresher.refresh(this.task, new AbortController().signal);
  }

  /** Says that a value of the answer is this field, as "Choose the …" shows it. */
  async picksValue(field: ResponseField, text: string): Promise<void> {
    const latest = await this.#parts.mapping.latestResponse(this.dataset, field);
    const leaf = responseLeaves(responseData(latest?.response ?? ''), field).find((each) => each.text === text);
    assert.ok(leaf, `'${text}' is in none of the answers: ${latest?.response}`);
    await this.#parts.mapping.setPointer(this.dataset, field, leaf.pointer);
    this.picks++;
  }

  /** Says what a status means that was not understood. */
  async saysWhatItMeans(status: string, meaning: Exclude<StatusMeaning, 'unknown'>): Promise<void> {
    assert.equal(taskState(this.task), 'unknown');
    await this.#parts.mapping.setMeaning(this.dataset, status, meaning);
    this.picks++;
  }

  /** Types a part of the request into its box. */
  async types(part: keyof typeof requestParts, text: string, name = ''): Promise<void> {
    const { datasets } = this.#parts;
    const edited = requestParts[part](this.dataset.contract, name);
    assert.equal(partFault(datasets.overrides(this.dataset), edited, text), undefined);
    await datasets.override(this.dataset, edited.at, typedValue(edited, text));
  }

  /** Removes the dataset with its key and its tasks, and stops the service. */
  async end(): Promise<void> {
    const { datasets, list } = this.#parts;
    const { name } = this.dataset;
    await list.remove(list.held.filter(({ dataset }) => dataset === name).map(({ key }) => key));
    await datasets.remove(this.dataset);
    await this.#sandbox.close();
  }
}
