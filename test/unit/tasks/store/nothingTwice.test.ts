import assert from 'node:assert/strict';
import { seeded } from '../seeded';
import { accepted, contentOf, fileOf, MANUALS, rejected, reportTask, requestOf, unconfirmed } from './storeRequests';
import { CLOSED_PID, StoreWindows, serve, type TestWindow } from './storeWindows';

/** Imports that no window would ever send or end. */
const LOST = `SELECT i.id, i.outcome FROM imports i LEFT JOIN files f ON f.id = i.file
  WHERE (i.outcome = 'sending' AND f.id IS NULL)
    OR (i.outcome = 'queued' AND (f.import IS NOT i.id OR f.removed_ms IS NOT NULL OR i.cancel = 1))`;
/** The uploads that deleting rows must not forget. */
const REMEMBERED = `SELECT DISTINCT path, sha256 FROM imports i WHERE outcome = 'accepted'
  AND (SELECT min(meaning IS 'failed') FROM tasks WHERE import = i.id) IS NOT 1 ORDER BY path, sha256`;

/** A window that follows the rules for sending, but performs its actions in random order. */
class Sender {
  readonly marked: { attempt: string; import: number }[] = [];
  readonly sending: { attempt: string; import: number }[] = [];
  #attempts = 0;

  constructor(
    readonly windows: StoreWindows,
    readonly window: TestWindow,
    readonly sent: Map<number, string[]>,
    readonly announced: string[],
    readonly random: (below: number) => number,
  ) {}

  async act(): Promise<void> {
    const often = [this.#queue, this.#queue, this.#mark, this.#mark, this.#send, this.#send, this.#end];
    const seldom = [this.#putBack, this.#cancel, this.#report, this.#announce, this.#remove, this.#clear];
    const acts = [...often, ...often, this.#serve, this.#serve, ...seldom];
    await acts[this.random(acts.length)]?.call(this);
  }

  async #serve(): Promise<void> {
    await serve(this.window);
  }

  async #queue(): Promise<void> {
    const names = [this.random(4), 4 + this.random(4)].slice(this.random(2)).map((index) => `${index}.txt`);
    const { files } = await this.window.known({ destination: MANUALS, paths: names.map((name) => `/notes/${name}`) });
    const seen = (name: string) => files.find(({ path }) => path === `/notes/${name}`)?.row?.import ?? null;
    const sources = names.map((name) => fileOf(name, { seen: seen(name) }));
    await this.window.queue(requestOf(`${this.window.id} ${++this.#attempts}`, sources));
  }

  async #mark(): Promise<void> {
    const next = await this.window.next({ destination: 1, count: 2, except: [] });
    const attempts = next.map((one) => ({
      import: one.import,
      attempt: this.window.attempt(String(++this.#attempts)),
    }));
    const started = await this.window.begin(attempts);
    this.marked.push(...attempts.filter(({ attempt }) => started.includes(attempt)));
  }

  /** Sends an import only if the window holds the lease and the import is still marked as sending. */
  async #send(): Promise<void> {
    const one = this.marked.shift();
    if (one === undefined) return;
    const { held, canceled } = await serve(this.window);
    const isMarked = (await this.window.begin([one])).length > 0;
    if (held.length === 0 || canceled.includes(one.attempt) || !isMarked) {
      await this.window.putBack([{ attempt: one.attempt, tried: false }]);
      return;
    }
    this.sent.set(one.import, [...(this.sent.get(one.import) ?? []), one.attempt]);
    this.sending.push(one);
  }

  async #end(): Promise<void> {
    const one = this.sending.shift();
    if (one === undefined) return;
    const content = contentOf(`${this.random(3)}`);
    const ends = [unconfirmed(one.attempt), rejected(one.attempt)];
    await this.window.end(ends[this.random(4)] ?? accepted(one.attempt, one.attempt, { content }));
  }

  async #putBack(): Promise<void> {
    const unsent = this.marked.splice(0).map(({ attempt }) => ({ attempt, tried: false }));
    await this.window.putBack(unsent);
  }

  async #cancel(): Promise<void> {
    await this.window.cancel({ text: `${this.random(8)}.txt` });
  }

  async #report(): Promise<void> {
    const { tasks } = await this.window.unfinishedTasks({ destination: 1, since: 0, after: 0 });
    const meaning = this.random(3) === 0 ? 'failed' : 'succeeded';
    for (const { import: id, id: taskId } of tasks.slice(0, 3)) await reportTask(this.window, id, taskId, { meaning });
  }

  async #announce(): Promise<void> {
    for (const { id } of (await this.window.announce([1])).runs) {
      this.announced.push(id);
    }
  }

  /** Removes rows, and sometimes restores them. */
  async #remove(): Promise<void> {
    this.windows.clock.advance(1);
    const { removedMs } = await this.window.remove({ text: `${this.random(8)}.txt` });
    if (this.random(2) === 0) await this.window.undo(removedMs);
  }

  async #clear(): Promise<void> {
    this.windows.clock.advance(3_600_000);
    const before = this.windows.sql(REMEMBERED);
    await this.window.clear({ days: 90, rows: 3 });
    assert.deepEqual(this.windows.sql(REMEMBERED), before);
  }
}

describe('Two windows that each believe the other has closed', () => {
  for (const seed of [1, 2, 3])
    it(`never send an import twice, lose an import or announce a run twice (seed ${seed})`, async () => {
      await using windows = await StoreWindows.make();
      const fraction = seeded(seed);
      const random = (below: number) => Math.floor(fraction() * below);
      const [sent, announced] = [new Map<number, string[]>(), [] as string[]];
      // Because of this process ID, each window always believes that the other has closed.
      const senders = ['A', 'B'].map(
        (id) => new Sender(windows, windows.open(id, { pid: CLOSED_PID }), sent, announced, random),
      );
      // This creates the database.
      await serve(windows.open('C'));
      for (let step = 0; step < 400; step++) {
        await senders[random(2)]?.act();
        assert.deepEqual(windows.sql(LOST), [], `after step ${step}`);
        windows.checkRows();
      }
      const twice = [...sent].filter(([, attempts]) => attempts.length > 1);
      assert.deepEqual(twice, []);
      assert.ok(sent.size > 10, `only ${sent.size} imports were sent`);
      assert.equal(new Set(announced).size, announced.length);
      assert.ok(announced.length > 10, `only ${announced.length} runs were announced`);
    });
});
