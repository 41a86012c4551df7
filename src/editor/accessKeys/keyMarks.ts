import { createHash, randomBytes } from 'node:crypto';
import type { SharedMarks } from '../../tasks/store/sharedMarks';

/**
 * How windows tell each other that a key was replaced or cleared: a window may go on reading from its secret storage
 * what was there before. A mark holds 16 bits of a salted hash, enough to tell that a key is not the present one, and
 * too little to find it by.
 */
export class KeyMarks {
  readonly #marks: SharedMarks | undefined;

  /** Without marks every key that can be read is the present one. */
  constructor(marks: SharedMarks | undefined) {
    this.#marks = marks;
  }

  /** Changes whenever a key of this slot is replaced or cleared, in any window. */
  current(slot: string): string {
    return this.#marks?.read(slot) ?? '';
  }

  /** Whether the key in this slot was cleared, in any window. */
  isCleared(slot: string): boolean {
    return this.current(slot).startsWith('cleared ');
  }

  /** Whether a key that was read from this slot is the one that was set last, in any window. */
  isPresent(slot: string, key: string): boolean {
    const mark = this.current(slot);
    const [salt = '', digest] = mark.split(' ');
    return mark === '' || digestOf(salt, key) === digest;
  }

  /** A key was set: others must not go on with another one. */
  noteSet(slot: string, key: string): void {
    if (this.current(slot) !== '' && this.isPresent(slot, key)) return;
    const salt = randomBytes(16).toString('hex');
    this.#write(slot, `${salt} ${digestOf(salt, key)}`);
  }

  /** A key was cleared: others must not go on with it. */
  noteCleared(slot: string): void {
    this.#write(slot, `cleared ${randomBytes(16).toString('hex')}`);
  }

  /** Where it cannot be written, other windows are as they would be without it, and the key is set or cleared here. */
  #write(slot: string, mark: string): void {
    try {
      this.#marks?.write(slot, mark);
    } catch {
      // A full disk must not keep a person from replacing a key.
    }
  }
}

function digestOf(salt: string, key: string): string {
  return createHash('sha256').update(`${salt} ${key}`).digest('hex').slice(0, 4);
}
