import type { LookupFunction } from 'node:net';
import path from 'node:path';
import type { Target } from '../../../../src/service/request/requests';
import { connectTasks, type Tasks } from '../../../../src/tasks/connectTasks';
import { Files } from '../../../../src/tasks/sending/files';
import type { Serving } from '../../../../src/tasks/sending/serving';
import type { Destination, FileRow, NewImport, Pause } from '../../../../src/tasks/store/model';
import { TemporaryFiles } from '../../service/temporaryFiles';
import { target, wire } from '../../service/wire';
import type { HandClock } from '../handClock';
import { fileOf } from '../store/storeRequests';
import { StoreWindows, type TestWindow, type WindowSetup } from '../store/storeWindows';
import { until } from '../until';
import { ImportingService } from './importingService';

const FILE_PROGRAM = path.join(__dirname, '../../../../src/tasks/sending/fileProgram.js');

/** A window's settings. */
export interface SendingSetup extends WindowSetup {
  readonly allowed?: number;
  /** Delays each new connection. */
  readonly connecting?: () => Promise<void>;
  /** Called before each read of the access key. */
  readonly reading?: () => void;
}

/** The names of files to import, in the order in which they are sent. */
export function fileNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${String(index).padStart(2, '0')}.txt`);
}

/** The windows of the current test. Set by {@link beforeEachWindows}. */
export let all: SendingWindows;
/** The service that {@link all} windows upload to. */
export let service: ImportingService;

/** Sets up windows for each test, and closes them afterward. */
export function beforeEachWindows(): void {
  beforeEach(async () => {
    all = await SendingWindows.make();
    ({ service } = all);
  });
  afterEach(() => all[Symbol.asyncDispose]());
}

/** Windows that share a store and upload files from one folder to one service. */
export class SendingWindows {
  readonly store: StoreWindows;
  readonly service: ImportingService;
  readonly folder: TemporaryFiles;
  readonly files = new Files(FILE_PROGRAM);
  /** The names of the files that were read, with one entry per read. */
  readonly read: string[] = [];
  readonly #windows: SendingWindow[] = [];

  private constructor(store: StoreWindows, service: ImportingService, folder: TemporaryFiles) {
    this.store = store;
    this.service = service;
    this.folder = folder;
  }

  static async make(): Promise<SendingWindows> {
    return new SendingWindows(await StoreWindows.make(), await ImportingService.start(), await TemporaryFiles.make());
  }

  get clock(): HandClock {
    return this.store.clock;
  }

  /** Uses a host name, so that a test can delay the DNS lookup. */
  get baseUrl(): URL {
    return new URL(`http://import.test:${this.service.baseUrl.port}`);
  }

  get destination(): Destination {
    return { dataset: 'Manuals', origin: this.baseUrl.origin };
  }

  open(id: string, setup: SendingSetup = {}): SendingWindow {
    const window = new SendingWindow(this, id, setup);
    this.#windows.push(window);
    return window;
  }

  /** Returns a file reader that records which files it reads. */
  readFiles(): Files {
    const { files, read } = this;
    return new Proxy(files, {
      get: (_, name) => {
        if (name === 'prepare')
          return (sources: Parameters<Files['prepare']>[0]) => {
            read.push(...sources.map((one) => one.name));
            return files.prepare(sources);
          };
        const value = files[name as keyof Files];
        return typeof value === 'function' ? value.bind(files) : value;
      },
    });
  }

  /** Writes files that contain their own names. */
  async write(...names: readonly string[]): Promise<string[]> {
    for (const name of names) await this.folder.write(name, `I am ${name}.\n`);
    return [...names];
  }

  /** Advances the clock one second at a time, calling `turn()` in each window, until the condition is true. */
  passUntil(condition: () => boolean | Promise<boolean>, what?: string): Promise<void> {
    return until(async () => {
      if (await condition()) return true;
      this.clock.advance(1000);
      for (const window of this.#windows) if (!window.isClosed) await window.serving.turn();
      return condition();
    }, what ?? condition.toString());
  }

  /** Advances the clock while the window closes, because a closing window waits for its uploads. */
  async #close(window: SendingWindow): Promise<void> {
    let isClosed = false;
    const closing = window.close().finally(() => {
      isClosed = true;
    });
    await until(() => {
      this.clock.advance(1000);
      return isClosed;
    }, 'the window to close');
    await closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const window of this.#windows) if (!window.isClosed) await this.#close(window);
    await this.service[Symbol.asyncDispose]();
    this.files.end();
    await this.store[Symbol.asyncDispose]();
    await this.folder[Symbol.asyncDispose]();
  }
}

/** A window that does its periodic work only when the test calls `turn()`. */
export class SendingWindow {
  readonly store: TestWindow;
  readonly tasks: Tasks;
  /** Every pause that is longer than 10 seconds. */
  readonly paused: Pause[] = [];
  readonly #noted = new Set<number>();
  readonly faults: unknown[] = [];
  readonly errors: unknown[] = [];
  /** Undefined if the window lacks the dataset or its key. */
  target: Target | undefined;
  /** The dataset's name in the settings. */
  dataset = 'Manuals';
  isClosed = false;
  readonly #all: SendingWindows;
  #runs = 0;

  constructor(all: SendingWindows, id: string, { allowed = 8, connecting, reading, ...setup }: SendingSetup) {
    this.#all = all;
    const { pid = process.pid } = setup;
    this.store = all.store.open(id, setup);
    this.target = target(all.baseUrl);
    const { clock } = all;
    const files = all.readFiles();
    const threads = { store: this.store, window: { id, machine: 'here', pid }, files, exists: () => true };
    this.tasks = connectTasks(threads, {
      folder: path.dirname(all.store.path),
      service: wire({ lookup: lookupAfter(connecting) }, clock),
      clock,
      findTarget: async (dataset) => {
        reading?.();
        return dataset === this.dataset ? this.target : undefined;
      },
      contractOf: () => this.target?.contract,
      allowed: () => allowed,
      retention: () => ({ days: 90, rows: 100_000 }),
      canServe: ({ dataset, origin }) => dataset === this.dataset && this.target?.baseUrl.origin === origin,
      readKeysAgain: () => {},
      onError: (error) => this.errors.push(error),
    });
    this.serving.events.on('change', () => this.#notePauses());
    this.serving.events.on('fault', (fault) => this.faults.push(fault));
  }

  get serving(): Serving {
    return this.tasks.serving;
  }

  #notePauses(): void {
    for (const { row, gate, pause } of this.serving.served) {
      if (pause === null) this.#noted.delete(row.id);
      else if (gate.waitMs > 10_000 && !this.#noted.has(row.id)) {
        this.#noted.add(row.id);
        this.paused.push(pause);
      }
    }
  }

  /** Imports files from the shared folder. */
  import(names: readonly string[], facts: Partial<NewImport> = {}) {
    const files = names.map((name) =>
      fileOf(name, { path: this.#all.folder.at(name).path, modifiedMs: null, ...facts }),
    );
    const batch = files.length > 1 ? { label: 'notes', folder: this.#all.folder.folder } : null;
    const run = `${this.store.id} ${++this.#runs}`;
    return this.serving.queue({ destination: this.#all.destination, run, batch, skipped: {}, files });
  }

  async rows(): Promise<readonly FileRow[]> {
    return (await this.store.page({ filter: {}, limit: 100_000 })).rows;
  }

  /** The number of rows by state. */
  async counts(): Promise<Record<string, number>> {
    return { ...(await this.store.counts(null)).states };
  }

  /**
   * Advances the clock in steps of `step` seconds, and calls `turn()` in this window after each step. Ignores errors
   * from `turn()`.
   */
  async passSeconds(seconds: number, step = 1): Promise<void> {
    for (let passed = 0; passed < seconds; passed += step) {
      this.#all.clock.advance(1000 * step);
      await this.serving.turn().catch(() => {});
    }
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.tasks.following.dispose();
    await this.serving.stop();
  }
}

/** Calls `connecting`, and then resolves every host name to 127.0.0.1. */
function lookupAfter(connecting = async () => {}): LookupFunction {
  return (_name, { all }, callback) => {
    void connecting().then(() =>
      all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4),
    );
  };
}
