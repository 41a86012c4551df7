import { TextDecoder } from 'node:util';

/** The first byte of a sequence that is not UTF-8. */
export interface InvalidByte {
  /** Counted from 0. */
  readonly offset: number;
  readonly value: number;
}

/** Checks that a streamed text is UTF-8; characters may be split across chunks. */
export class Utf8Check {
  readonly #decoder = fatalDecoder();
  /** The bytes of a character that has begun and not ended: three at most. */
  #open: Buffer = Buffer.alloc(0);
  #checkedBytes = 0;
  #invalid: InvalidByte | undefined;

  add(chunk: Buffer): void {
    if (this.#invalid) return;
    const bytes = this.#open.length > 0 ? Buffer.concat([this.#open, chunk]) : chunk;
    try {
      const text = this.#decoder.decode(chunk, { stream: true });
      const closed = Buffer.byteLength(text);
      this.#checkedBytes += closed;
      this.#open = Buffer.from(bytes.subarray(closed));
    } catch {
      this.#invalid = this.#report(bytes, validLength(bytes));
    }
  }

  /** The first invalid byte, or undefined where the whole text is UTF-8. */
  end(): InvalidByte | undefined {
    if (!this.#invalid && this.#open.length > 0) this.#invalid = this.#report(this.#open, 0);
    return this.#invalid;
  }

  #report(bytes: Buffer, index: number): InvalidByte {
    return { offset: this.#checkedBytes + index, value: bytes[index] ?? 0 };
  }
}

// The BOM is decoded like any other character, so that lengths add up.
function fatalDecoder(): TextDecoder {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
}

/** How many bytes at the beginning are whole characters. A decoder does not tell where it failed, so feed it byte by byte. */
function validLength(bytes: Buffer): number {
  const decoder = fatalDecoder();
  let valid = 0;
  for (let index = 0; index < bytes.length; index++) {
    try {
      if (decoder.decode(bytes.subarray(index, index + 1), { stream: true }) !== '') valid = index + 1;
    } catch {
      return valid;
    }
  }
  return valid;
}
