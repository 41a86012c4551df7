import type { Json } from '../json/json';
import { readProgress } from '../response/progress';
import { type ResponseLeaf, responseLeaves } from '../response/responseLeaves';
import { statusLooks } from '../response/statusLooks';
import type { KeptData } from './valueChoices';

/** A value of a task's responses that grew as progress does. */
export interface GrownValue {
  readonly pointer: string;
  /** What it was, each once and the latest last. */
  readonly texts: readonly string[];
}

/** Max places that are looked at in a response, and max values kept of each. */
const MAX_PLACES = 100;
const MAX_VALUES = 10;

/** The numbers in the responses about one task, from which its progress is recognized. */
export class GrowingValues {
  readonly #texts = new Map<string, readonly string[]>();

  /** Takes the next response. Gives the one value that has grown as progress does; undefined where there are several. */
  take({ data, ownTask }: KeptData): GrownValue | undefined {
    const places = responseLeaves(data, 'progress', ownTask).filter(isNumber).slice(0, MAX_PLACES);
    for (const { pointer, text } of places) this.#note(pointer, text);
    const grown = places.filter(({ pointer }) => this.#hasGrown(pointer) && isReadable(data, pointer, ownTask));
    const likely = grown.filter(({ isLikely }) => isLikely);
    const [value, ...others] = likely.length > 0 ? likely : grown;
    return value === undefined || others.length > 0
      ? undefined
      : { pointer: value.pointer, texts: this.#texts.get(value.pointer) ?? [] };
  }

  #note(pointer: string, text: string): void {
    const texts = this.#texts.get(pointer) ?? [];
    if (texts.at(-1) !== text) this.#texts.set(pointer, [...texts, text].slice(-MAX_VALUES));
  }

  #hasGrown(pointer: string): boolean {
    const texts = this.#texts.get(pointer) ?? [];
    return texts.length > 1 && statusLooks(texts) === 'progress';
  }
}

function isNumber({ text, element }: ResponseLeaf): boolean {
  return element === undefined && /^\d+(?:\.\d+)?\s*%?$/.test(text);
}

function isReadable(data: Json, pointer: string, ownTask: KeptData['ownTask']): boolean {
  return readProgress(data, pointer, ownTask) !== undefined;
}
