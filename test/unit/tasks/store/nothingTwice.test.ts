import assert from 'node:assert/strict';
import { seeded } from '../seeded';
import { accepted, fileOf, MANUALS, rejected, requestOf, unconfirmed } from './storeRequests';
import { CLOSED_PID, StoreWindows, serve, type TestWindow } from './storeWindows';

/** A window that follows the rules for sending, but performs its actions in random order. */
class Sender {
  readonly marked: { attempt: string; import: number }[] = [];
  readonly sending: { attempt: string; import: number }[] = [];
  #attempts = 0;

  constructor(
    readonly window: TestWindow,
    readonly sent: Map<number, string[]>,
    readonly random: (below: number) => number,
  ) {}

  async act(): Promise<void> {
    const often = [this.#queue, this.#queue, this.#mark, this.#mark, this.#send, this.#send, this.#end];
    const acts = [...often, ...often, this.#serve, this.#serve, this.#putBack, this.#cancel];
    await acts[this.random(acts.length)]?.call(this);
  }

  async #serve(): Promise<void> {
    await serve(this.window);
  }

  async #queue(): Promise<void> {
    const name = `${this.random(8)}.txt`;
    const { files } = await this.window.known({ destination: MANUALS, paths: [`/notes/${name}`] });
    const seen = files[0]?.row?.import ?? null;
    await this.window.queue(requestOf(`${this.window.id} ${++this.#attempts}`, [fileOf(name, { seen })]));
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
    const end = [accepted, unconfirmed, rejected][this.random(3)] ?? accepted;
    await this.window.end(end(one.attempt));
  }

  async #putBack(): Promise<void> {
    const unsent = this.marked.splice(0).map(({ attempt }) => ({ attempt, tried: false }));
    await this.window.putBack(unsent);
  }

  async #cancel(): Promise<void> {
    await this.window.cancel({ text: `${this.random(8)}.txt` });
  }
}

describe('Two windows that each believe the other has closed', () => {
  for (const seed of [1, 2, 3])
    it(`never send an import twice (seed ${seed})`, async () => {
      await using windows = await StoreWindows.make();
      const fraction = seeded(seed);
      const random = (below: number) => Math.floor(fraction() * below);
      const sent = new Map<number, string[]>();
      // Because of this process ID, each window always believes that the other has closed.
      const senders = ['A', 'B'].map((id) => new Sender(windows.open(id, { pid: CLOSED_PID }), sent, random));
      for (let step = 0; step < 400; step++) await senders[random(2)]?.act();
      const twice = [...sent].filter(([, attempts]) => attempts.length > 1);
      assert.deepEqual(twice, []);
      assert.ok(sent.size > 10, `only ${sent.size} imports were sent`);
      windows.checkRows();
    });
});
