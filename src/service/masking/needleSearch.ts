/**
 * Finds many short texts in a long one in a single pass, in time that depends on the long one's length alone (Aho and
 * Corasick's automaton). The texts are ASCII.
 */
export class NeedleSearch {
  /** The column of the table for each character; 0 for those that stand in no text. */
  readonly #columns = new Uint8Array(128);
  readonly #width: number;
  readonly #next: Int32Array;
  /** The texts that end at each state. */
  readonly #ending: number[][] = [[]];

  constructor(needles: readonly string[]) {
    let columns = 1;
    for (const character of new Set(needles.join(''))) this.#columns[character.charCodeAt(0)] = columns++;
    this.#width = columns;
    this.#next = new Int32Array((needles.join('').length + 1) * columns);
    for (const [index, needle] of needles.entries()) this.#add(needle, index);
    this.#link();
  }

  /** Calls `found` with the index of each text found and the place after its last character. */
  search(codes: Uint16Array, length: number, found: (needle: number, end: number) => void): void {
    const next = this.#next;
    const columns = this.#columns;
    const width = this.#width;
    for (let at = 0, state = 0; at < length; at++) {
      const code = codes[at] ?? 0;
      state = next[state * width + (code < 128 ? (columns[code] ?? 0) : 0)] ?? 0;
      const ending = state === 0 ? undefined : this.#ending[state];
      if (ending !== undefined) for (const needle of ending) found(needle, at + 1);
    }
  }

  #add(needle: string, index: number): void {
    let state = 0;
    for (let at = 0; at < needle.length; at++) {
      const cell = this.#cell(state, needle.charCodeAt(at));
      if (this.#next[cell] === 0) this.#next[cell] = this.#ending.push([]) - 1;
      state = this.#next[cell] ?? 0;
    }
    this.#ending[state]?.push(index);
  }

  /** Lets each state that has no way on with a character go where the longest suffix that has one goes. */
  #link(): void {
    const suffixes = new Int32Array(this.#ending.length);
    const queue = [0];
    for (const state of queue) {
      const suffix = suffixes[state] ?? 0;
      if (state !== suffix) this.#ending[state]?.push(...(this.#ending[suffix] ?? []));
      for (let column = 1; column < this.#width; column++) {
        const cell = state * this.#width + column;
        const target = this.#next[cell] ?? 0;
        const ofSuffix = state === 0 ? 0 : (this.#next[suffix * this.#width + column] ?? 0);
        if (target === 0) this.#next[cell] = ofSuffix;
        else {
          suffixes[target] = ofSuffix;
          queue.push(target);
        }
      }
    }
  }

  #cell(state: number, code: number): number {
    return state * this.#width + (this.#columns[code] ?? 0);
  }
}
