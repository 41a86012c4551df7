import { createHash, randomBytes } from 'node:crypto';
import type { SharedMarks } from '../../tasks/store/sharedMarks';

/**
 * Marks shared by all windows that show whether a key from SecretStorage is outdated: in a browser, a window may keep
 * reading a key that another one replaced or cleared. A mark is 16 bits of a salted hash, too few to guess the key.
 */
export class KeyMarks {
  readonly #marks: SharedMarks | undefined;

  /** Without marks, every key counts as current. */
  constructor(marks: SharedMarks | undefined) {
    this.#marks = marks;
  }

  /** Changes whenever the key of this slot is replaced or cleared, in any window. */
  current(slot: string): string {
    return this.#marks?.read(slot) ?? '';
  }

  /** Whether the key in this slot was cleared, in any window. */
  isCleared(slot: string): boolean {
    return this.current(slot).startsWith('cleared ');
  }

  /** Whether a key from this slot is the one that was set last, in any window. */
  isCurrent(slot: string, key: string): boolean {
    const mark = this.current(slot);
    const [salt = '', digest] = mark.split(' ');
    return mark === '' || digestOf(salt, key) === digest;
  }

  noteSet(slot: string, key: string): void {
    if (this.current(slot) !== '' && this.isCurrent(slot, key)) return;
    const salt = randomBytes(16).toString('hex');
    this.#write(slot, `${salt} ${digestOf(salt, key)}`);
  }

  noteCleared(slot: string): void {
    this.#write(slot, `cleared ${randomBytes(16).toString('hex')}`);
  }

  #write(slot: string, mark: string): void {
    try {
      this.#marks?.write(slot, mark);
    } catch {
      // The user can replace a key even where the disk is full; other windows may then read the old one.
    }
  }
}

function digestOf(salt: string, key: string): string {
  return createHash('sha256').update(`${salt} ${key}`).digest('hex').slice(0, 4);
}
