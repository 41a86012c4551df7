import { createHash } from 'node:crypto';
import { type InvalidByte, Utf8Check } from './utf8Check';

const shownBytes = 300;
const shownLines = 5;
const lineFeed = 0x0a;

/** What is known of a streamed text, whose content is not kept. */
export interface TextReading {
  readonly bytes: number;
  /** Ends of line (LF), and one more for text after the last of them. */
  readonly lines: number;
  /** In lower-case hex. */
  readonly sha256: string;
  /** The first lines, a few hundred bytes at most. */
  readonly firstLines: string;
  /** Where the text stops being UTF-8. */
  readonly invalid: InvalidByte | undefined;
}

/** Reads a text to its end as it arrives. Throws what the stream throws. */
export async function readText(chunks: AsyncIterable<Buffer>): Promise<TextReading> {
  const hash = createHash('sha256');
  const utf8 = new Utf8Check();
  const first = new FirstBytes(shownBytes);
  let bytes = 0;
  let lines = 0;
  let endsInsideLine = false;
  for await (const chunk of chunks) {
    hash.update(chunk);
    utf8.add(chunk);
    first.add(chunk);
    bytes += chunk.length;
    lines += lineFeeds(chunk);
    if (chunk.length > 0) endsInsideLine = chunk.at(-1) !== lineFeed;
  }
  return {
    bytes,
    lines: endsInsideLine ? lines + 1 : lines,
    sha256: hash.digest('hex'),
    firstLines: first.text().split('\n', shownLines).join('\n'),
    invalid: utf8.end(),
  };
}

function lineFeeds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) count++;
  return count;
}

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
