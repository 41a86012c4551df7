import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';

/** What a script does with one connection; `count` is 1 for the first connection, 2 for the second… */
export type Script = (peer: Peer, count: number) => Promise<void>;

const HEAD_END = '\r\n\r\n';

/** One connection as the server sees it. Bytes are read only when the script asks, so that not asking is a stall. */
export class Peer {
  readonly socket: Socket;
  #chunks: Buffer[] = [];
  #readBytes = 0;
  #searchedBytes = 0;
  #posts = 0;
  #foundHead: Buffer | undefined;
  readonly #incoming: AsyncIterator<Buffer>;

  constructor(socket: Socket) {
    this.socket = socket;
    this.#incoming = socket[Symbol.asyncIterator]();
  }

  /** Every byte read so far. */
  get received(): Buffer {
    const all = this.#chunks.length === 1 ? this.#chunks[0] : undefined;
    if (all !== undefined) return all;
    this.#chunks = [Buffer.concat(this.#chunks)];
    return this.received;
  }

  /** How many POSTs arrived. Tests poll it, so the bytes are searched only if more were read. */
  get posts(): number {
    if (this.#searchedBytes < this.#readBytes) {
      this.#searchedBytes = this.#readBytes;
      this.#posts = this.received.toString('latin1').match(/^POST \S+ HTTP\/1\.1\r$/gm)?.length ?? 0;
    }
    return this.#posts;
  }

  /** Reads until at least this many bytes are there; false where the client went before. */
  async readBytes(atLeast: number): Promise<boolean> {
    while (this.#readBytes < atLeast) if (!(await this.#readOnce())) return false;
    return true;
  }

  /** Head and body of its request, as far as they were read. */
  get request(): { readonly head: string; readonly body: Buffer } {
    const at = this.#head?.length ?? this.#readBytes;
    return { head: this.received.toString('latin1', 0, at), body: this.received.subarray(at) };
  }

  /** How many bytes of the request's body were read. */
  get bodyBytes(): number {
    return this.#readBytes - (this.#head?.length ?? this.#readBytes);
  }

  /** Reads the head and this many bytes of the body, at most what its Content-Length says; false where the client went before. */
  async readRequest(bodyBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
    while (this.#head === undefined) if (!(await this.#readOnce())) return false;
    return this.readBytes(this.#head.length + Math.min(bodyBytes, bodyLength(this.#head)));
  }

  /** Reads until the client closes. */
  async readToEnd(): Promise<void> {
    while (await this.#readOnce());
  }

  /** Sends these very bytes. */
  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Sends these very bytes and resolves once the system has them; false where the client has gone. */
  sendAll(bytes: string | Uint8Array): Promise<boolean> {
    return new Promise((resolve) => this.socket.write(bytes, (error) => resolve(error == null)));
  }

  /** Sends a last few bytes and ends the connection in good order. */
  end(bytes: string | Uint8Array = ''): void {
    this.socket.end(bytes);
  }

  /** Breaks the connection off with a RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /** Passes all that comes after these first bytes to a port of this machine, and what comes back to the client. */
  async tunnelTo(port: number, firstBytes = this.received.length): Promise<void> {
    const beyond = connect(port, '127.0.0.1').on('error', () => this.socket.destroy());
    beyond.pipe(this.socket);
    beyond.write(this.received.subarray(firstBytes));
    for (let passed = this.received.length; await this.#readOnce(); passed = this.received.length)
      beyond.write(this.received.subarray(passed));
    beyond.destroy();
  }

  /** The head of the first request with the empty line after it, once it has come. */
  get #head(): Buffer | undefined {
    if (this.#foundHead === undefined) {
      const at = this.received.indexOf(HEAD_END);
      if (at >= 0) this.#foundHead = this.received.subarray(0, at + HEAD_END.length);
    }
    return this.#foundHead;
  }

  async #readOnce(): Promise<boolean> {
    try {
      const { done, value } = await this.#incoming.next();
      if (done === true) return false;
      this.#chunks.push(value);
      this.#readBytes += value.length;
      return true;
    } catch {
      return false;
    }
  }
}

/** A TCP server on loopback that does to each connection what its script says, and keeps every byte it read. */
export class RawServer {
  readonly peers: Peer[] = [];
  readonly #server: Server;
  readonly #failures: unknown[] = [];
  #port = 0;

  private constructor(server: Server, script: Script) {
    this.#server = server;
    server.on(server instanceof tls.Server ? 'secureConnection' : 'connection', (socket: Socket) => {
      socket.on('error', () => {});
      const peer = new Peer(socket);
      this.peers.push(peer);
      script(peer, this.peers.length).catch((failure: unknown) => this.#failures.push(failure));
    });
  }

  /** Starts one on a free port. `server` may be a TLS server: its connections are then read decrypted. */
  static async start(script: Script, server: Server = createServer()): Promise<RawServer> {
    const raw = new RawServer(server, script);
    await raw.listenAgain();
    return raw;
  }

  /** Its port, which it keeps when it is closed. */
  get port(): number {
    return this.#port;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}`);
  }

  /** How many POSTs arrived, over all connections. */
  get posts(): number {
    return this.peers.reduce((sum, { posts }) => sum + posts, 0);
  }

  /** The bytes of the first connection. */
  get received(): Buffer {
    return this.peers[0]?.received ?? Buffer.alloc(0);
  }

  /** Head and body of the first request. */
  get request(): { readonly head: string; readonly body: Buffer } {
    return this.peers[0]?.request ?? { head: '', body: Buffer.alloc(0) };
  }

  /** Listens, after it was closed on the port that it had; nothing where it does already. */
  async listenAgain(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Stops listening, so that its port refuses from now on. */
  async close(): Promise<void> {
    for (const { socket } of this.peers) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
    if (this.#failures.length > 0) throw this.#failures[0];
  }
}

function bodyLength(head: Buffer): number {
  return Number(/\r\ncontent-length: (\d+)/i.exec(head.toString('latin1'))?.[1] ?? 0);
}
