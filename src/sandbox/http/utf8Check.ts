import { isUtf8 } from 'node:buffer';

/** The first byte of a sequence that is not UTF-8. */
export interface InvalidByte {
  /** Counted from 0. */
  readonly offset: number;
  readonly value: number;
}

/** Checks that a streamed text is UTF-8; characters may be split across chunks. */
export class Utf8Check {
  /** The bytes of a character that has begun and not ended: three at most. */
  #open: Buffer = Buffer.alloc(0);
  #checkedBytes = 0;
  #invalid: InvalidByte | undefined;

  add(chunk: Buffer): void {
    if (this.#invalid) return;
    const bytes = Buffer.concat([this.#open, chunk]);
    const last = bytes.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
    const whole = bytes.subarray(0, last + lengthOf(bytes[last]) > bytes.length ? last : bytes.length);
    if (!isUtf8(whole)) this.#invalid = this.#report(whole);
    this.#checkedBytes += whole.length;
    this.#open = Buffer.from(bytes.subarray(whole.length));
  }

  /** The first invalid byte, or undefined where the whole text is UTF-8. */
  end(): InvalidByte | undefined {
    if (!this.#invalid && this.#open.length > 0) this.#invalid = this.#report(this.#open);
    return this.#invalid;
  }

  #report(bytes: Buffer): InvalidByte {
    let at = 0;
    for (let next = 0; isUtf8(bytes.subarray(at, next)); next += lengthOf(bytes[next])) at = next;
    return { offset: this.#checkedBytes + at, value: bytes[at] ?? 0 };
  }
}

/** How many bytes a character has that begins with this one. */
function lengthOf(byte = 0): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}
