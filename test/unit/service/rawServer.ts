import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import tls from 'node:tls';

/** Handles one connection. `count` is 1 for the first connection, 2 for the second, and so on. */
export type Script = (peer: Peer, count: number) => Promise<void>;

const HEAD_END = '\r\n\r\n';

/** The server's end of a connection. Reads bytes only when the script asks for them, so a script can stall the client. */
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

  /**
   * How many POST requests have arrived. Searches the bytes again only if more have been read, because tests poll this.
   */
  get posts(): number {
    if (this.#searchedBytes < this.#readBytes) {
      this.#searchedBytes = this.#readBytes;
      this.#posts = this.received.toString('latin1').match(/^POST \S+ HTTP\/1\.1\r$/gm)?.length ?? 0;
    }
    return this.#posts;
  }

  /** Reads until at least this many bytes have arrived. Returns false if the client closed the connection first. */
  async readBytes(atLeast: number): Promise<boolean> {
    while (this.#readBytes < atLeast) if (!(await this.#readOnce())) return false;
    return true;
  }

  /** The head and body of the request, or as much of them as has been read. */
  get request(): { readonly head: string; readonly body: Buffer } {
    const at = this.#head?.length ?? this.#readBytes;
    return { head: this.received.toString('latin1', 0, at), body: this.received.subarray(at) };
  }

  /**
   * Reads the head and this many bytes of the body, or the whole body by default. Returns false if the client closed the
   * connection first.
   */
  async readRequest(bodyBytes = Number.POSITIVE_INFINITY): Promise<boolean> {
    while (this.#head === undefined) if (!(await this.#readOnce())) return false;
    return this.readBytes(this.#head.length + Math.min(bodyBytes, bodyLength(this.#head)));
  }

  /** Reads until the client closes the connection. */
  async readToEnd(): Promise<void> {
    while (await this.#readOnce());
  }

  /** Sends exactly these bytes. */
  send(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /**
   * Sends exactly these bytes. Resolves to true once the operating system has accepted them, or to false if the client closed
   * the connection.
   */
  sendAll(bytes: string | Uint8Array): Promise<boolean> {
    return new Promise((resolve) => this.socket.write(bytes, (error) => resolve(error == null)));
  }

  /** Sends these bytes and closes the connection normally. */
  end(bytes: string | Uint8Array = ''): void {
    this.socket.end(bytes);
  }

  /** Resets the connection with a TCP RST. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  /**
   * Forwards everything after the first `firstBytes` bytes to a local port, and forwards that port's replies to the
   * client.
   */
  async tunnelTo(port: number, firstBytes = this.received.length): Promise<void> {
    const beyond = connect(port, '127.0.0.1').on('error', () => this.socket.destroy());
    beyond.pipe(this.socket);
    beyond.write(this.received.subarray(firstBytes));
    for (let passed = this.received.length; await this.#readOnce(); passed = this.received.length)
      beyond.write(this.received.subarray(passed));
    beyond.destroy();
  }

  /** The head of the first request, including the empty line after it. Undefined until it has arrived. */
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

/** A TCP server on loopback that runs a script for each connection and records every byte it reads. */
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

  /** Starts a server on a free port. If `server` is a TLS server, the script sees decrypted bytes. */
  static async start(script: Script, server: Server = createServer()): Promise<RawServer> {
    const raw = new RawServer(server, script);
    await raw.listenAgain();
    return raw;
  }

  /** The port, which stays the same if the server is closed and listens again. */
  get port(): number {
    return this.#port;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${this.port}`);
  }

  /** The total number of POST requests that have arrived, across all connections. */
  get posts(): number {
    return this.peers.reduce((sum, { posts }) => sum + posts, 0);
  }

  /** The bytes received on the first connection. */
  get received(): Buffer {
    return this.peers[0]?.received ?? Buffer.alloc(0);
  }

  /** The head and body of the first request. */
  get request(): { readonly head: string; readonly body: Buffer } {
    return this.peers[0]?.request ?? { head: '', body: Buffer.alloc(0) };
  }

  /** Listens on the same port again if the server was closed. */
  async listenAgain(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Closes all connections and stops listening, so the port refuses connections. */
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
