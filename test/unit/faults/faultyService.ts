import { Http } from '../../../src/service/http/http';
import { ImportService } from '../../../src/service/importService';
import type { Target } from '../../../src/service/request/requests';
import type { Outcome } from '../../../src/service/response/outcome';
import { assertKeyIsMasked } from '../service/assertKeyIsMasked';
import { trusting } from '../service/certificates';
import { outcomeText } from '../service/operations';
import { RawServer } from '../service/rawServer';
import { SETTINGS, target } from '../service/wire';
import { NOON } from '../tasks/handClock';
import type { Fault } from './faults';

/** A faulty service, and a client that records the outcome of each request. */
export class FaultyService {
  readonly server: RawServer;
  readonly service: ImportService;
  readonly target: Target;
  /** Each outcome, as one line of text. */
  readonly ends: string[] = [];
  readonly outcomes: Outcome<unknown>[] = [];
  readonly #trust: Disposable;

  private constructor(server: RawServer, fault: Fault) {
    this.server = server;
    this.#trust = trusting(...(fault.trusts ?? []));
    this.target = target((fault.baseUrl ?? (() => server.url))(server));
    const settings = { ...SETTINGS, ...fault.settings?.(server) };
    const http = new Http(() => settings, { now: () => NOON, monotonicMs: () => performance.now() });
    this.service = new ImportService(http, (_url, outcome) => {
      this.ends.push(outcomeText(outcome));
      this.outcomes.push(outcome);
    });
  }

  static async start(fault: Fault): Promise<FaultyService> {
    const server = await RawServer.start(fault.script, fault.server?.());
    const faulty = new FaultyService(server, fault);
    if (fault.isDown) await server.close();
    return faulty;
  }

  /** Closes the server, and asserts that no outcome contains the key. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#trust[Symbol.dispose]();
    await this.server[Symbol.asyncDispose]();
    assertKeyIsMasked(this.outcomes);
  }
}
