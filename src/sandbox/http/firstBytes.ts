/** Keeps the first bytes of a stream, to show them. */
export class FirstBytes {
  readonly #chunks: Buffer[] = [];
  #room: number;

  constructor(limit: number) {
    this.#room = limit;
  }

  add(chunk: Buffer): void {
    if (this.#room === 0) return;
    // A copy: a slice would hold on to the whole chunk.
    const kept = Buffer.from(chunk.subarray(0, this.#room));
    this.#room -= kept.length;
    this.#chunks.push(kept);
  }

  /** The kept bytes as text. A character cut off by the limit is left out; other bytes that are not UTF-8 become U+FFFD. */
  text(): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(this.#chunks), {
      stream: this.#room === 0,
    });
  }
}
