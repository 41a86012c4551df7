import assert from 'node:assert/strict';
import { mkdirSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type QuickPickItem, Uri } from 'vscode';
import type { ImportServices } from '../../../../src/editor/importing/candidate';
import { importFiles } from '../../../../src/editor/importing/importFiles';
import type { Action } from '../../../../src/editor/platform/actions';
import { type Checklist, picks } from '../../../../src/editor/platform/window';
import type { KnownMeaning } from '../../../../src/service/contract/contract';
import type { FileRow, Queued, QueueRequest } from '../../../../src/tasks/store/model';
import { TemporaryFiles } from '../../../unit/service/temporaryFiles';
import { HandClock } from '../../../unit/tasks/handClock';
import { sharedFiles } from '../../../unit/tasks/sharedFiles';
import { accepted, rejected, unconfirmed } from '../../../unit/tasks/store/storeRequests';
import { MemoryMemento } from '../../memoryStorage';
import { type OwnDatasets, ownDatasets } from '../../ownDatasets';
import { OwnImportStore } from '../../ownImportStore';
import { WorkspaceFiles } from '../../workspaceFiles';

type List = Checklist<QuickPickItem>;
type End = Awaited<ReturnType<typeof picks.checklist>>;

/** Modification times aren't reliable right after a file is written, so test files get an older time. */
const LONG_AGO_S = 1_700_000_000;

/** Runs imports with scripted user actions and its own store. Nothing is sent to a service. */
export class Uploads {
  readonly files: WorkspaceFiles;
  readonly services: ImportServices;
  readonly clock = new HandClock();
  /** What the user was shown: list titles and items, suggested names, and questions with their details. */
  readonly asked: string[] = [];
  readonly shown: { readonly message: string; readonly actions: readonly Action[] }[] = [];
  readonly errors: string[] = [];
  /** The user's action for each list; by default, the user accepts the list. */
  readonly lists: ((list: List) => End)[] = [];
  /** The user's answers to confirmation prompts, in order; yes by default. */
  readonly answers: boolean[] = [];
  /** The text to type into each box; defaults to the suggested text. */
  readonly typed: (string | undefined)[] = [];
  /** The labels to pick in lists without checkboxes. */
  readonly picked: string[] = [];
  readonly own: OwnImportStore;
  readonly datasets: OwnDatasets;
  readonly #texts: TemporaryFiles;

  private constructor(name: string, own: OwnImportStore, texts: TemporaryFiles) {
    this.files = new WorkspaceFiles(name);
    this.own = own;
    this.#texts = texts;
    this.datasets = ownDatasets([
      { name: 'Manuals', baseUrl: 'https://import.example' },
      { name: 'Other', baseUrl: 'https://other.example' },
    ]);
    const { datasets, keys } = this.datasets;
    this.services = {
      datasets,
      keys,
      clock: this.clock,
      store: own.store,
      files: sharedFiles,
      serving: Object.assign(Object.create(own.store), { queue: this.#queue.bind(this) }),
      textsFolder: this.textsFolder,
      memory: new MemoryMemento(),
      sandbox: { start: async () => datasets.find('Other') ?? assert.fail(), stop: async () => {} },
      confirm: async (question, detail, button) => {
        this.asked.push(`${question} [${button}] ${detail}`);
        return this.answers.shift() ?? true;
      },
      messages: {
        done: async (message: string, ...actions: Action[]) => void this.shown.push({ message, actions }),
        error: async (error: unknown) => void this.errors.push(String(error)),
      } as unknown as ImportServices['messages'],
      picks: {
        ...picks,
        checklist: async (list) => {
          this.asked.push(list.title());
          const act = this.lists.shift();
          return act === undefined ? 'accepted' : act(list as unknown as List);
        },
        text: async ({ value = '' }) => {
          this.asked.push(value);
          return this.typed.length > 0 ? this.typed.shift() : value;
        },
        one: async (items, { title = '' }) => this.#pick(title, items),
      },
    };
  }

  static async make(name: string): Promise<Uploads> {
    const uploads = new Uploads(name, new OwnImportStore(), await TemporaryFiles.make());
    const { datasets, keys, memory } = uploads.services;
    for (const dataset of datasets.all) await keys.set(dataset, `key of ${dataset.name}`);
    await datasets.setDefault(datasets.find('Manuals') ?? assert.fail());
    await memory.update('datasetImport.firstImportShown', true);
    return uploads;
  }

  get textsFolder(): string {
    return join(this.#texts.folder, 'storage', 'texts');
  }

  uri(name: string): Uri {
    return Uri.file(join(this.files.folder, name));
  }

  #pick<T extends QuickPickItem>(title: string, items: readonly T[]): T | undefined {
    this.asked.push(title, ...items.map(({ label }) => label));
    const label = this.picked.shift();
    return items.find((item) => item.label === label);
  }

  /** Queues requests one after another. Returns the first request's destination and batch, and all imports. */
  async #queue(...requests: readonly QueueRequest[]): Promise<Queued> {
    const all: Queued[] = [];
    for (const one of requests) all.push(await this.own.store.queue(one));
    return { ...(all[0] ?? assert.fail()), imports: all.flatMap(({ imports }) => imports) };
  }

  /** Writes a file with an old modification time. */
  write(name: string, content: string | Uint8Array = 'text 1'): Uri {
    mkdirSync(dirname(this.uri(name).fsPath), { recursive: true });
    const uri = this.files.write(name, content);
    utimesSync(uri.fsPath, LONG_AGO_S, LONG_AGO_S);
    return uri;
  }

  async rows(): Promise<readonly FileRow[]> {
    const { rows } = await this.own.store.page({ filter: {}, limit: 1000 });
    return rows.toSorted((one, other) => (one.relativePath < other.relativePath ? -1 : 1));
  }

  async queued(): Promise<string[]> {
    return (await this.rows()).filter(({ state }) => state === 'queued').map(({ name }) => name);
  }

  /** Marks each queued import as rejected or unconfirmed if its file name says so, and otherwise as accepted. */
  async send(): Promise<void> {
    const destinations = await this.own.store.destinations(null);
    const next = destinations.map(({ id }) => this.own.store.next({ destination: id, count: 100, except: [] }));
    for (const { import: id, name, path, ...content } of (await Promise.all(next)).flat()) {
      const attempt = await this.own.begin(id);
      const sha256 = (path && (await sharedFiles.sha256(path))) ?? content.sha256;
      const end = name.startsWith('rejected')
        ? rejected(attempt)
        : name.startsWith('lost')
          ? unconfirmed(attempt)
          : accepted(attempt, `task ${id}`);
      await this.own.store.end({ ...end, content: { ...content, sha256 } });
    }
  }

  /** Reports the same result for all unfinished tasks. */
  async report(meaning: KnownMeaning): Promise<void> {
    for (const { import: newest, tasks } of await this.rows())
      for (const { id } of tasks.filter(({ endedMs }) => endedMs === null))
        await this.own.report(newest.id, id, { meaning, status: meaning });
  }

  async importAndSend(uri: Uri): Promise<void> {
    await importFiles(this.services, { uris: [uri] });
    await this.send();
    this.asked.splice(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.files.remove();
    this.datasets.dispose();
    await this.own[Symbol.asyncDispose]();
    await this.#texts[Symbol.asyncDispose]();
  }
}

/** The current test's uploads. Set by {@link beforeEachUploads}. */
export let uploads: Uploads;
/** The store of {@link uploads}. */
export let own: OwnImportStore;

/** Creates uploads with files in this folder of the workspace before each test, and removes them afterward. */
export function beforeEachUploads(folder: string): void {
  beforeEach(async () => {
    uploads = await Uploads.make(folder);
    own = uploads.own;
  });
  afterEach(() => uploads[Symbol.asyncDispose]());
}

/** A list's rows as text. */
export function rowsOf(list: List): string[] {
  return list.rows('').map((row) => `${list.isSelected(row) ? '[x]' : '[ ]'} ${row.label.trim()} (${row.description})`);
}

export function rowNamed(list: List, name: string): QuickPickItem {
  return list.rows('').find(({ label }) => label.trim() === name) ?? assert.fail(`no row ${name}`);
}
