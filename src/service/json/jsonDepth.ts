/** How deep lists and objects may be nested: enough for any response, and far from a stack overflow. */
const MAX_DEPTH = 200;

/** Replaces a part of JSON that was left out. */
export const LEFT_OUT = '…';

/** What JSON is made of, as character codes: comparing these takes a fraction of the time that texts take. */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Length of the shortest text that can be nested too deeply. */
const MIN_DEEP_LENGTH = 2 * (MAX_DEPTH + 1);

/**
 * Finds the parts of a text of valid JSON that are nested too deeply to be walked by recursion, outermost ones only:
 * where each begins and ends.
 */
function* deepParts(json: string): Generator<readonly [from: number, to: number]> {
  if (json.length < MIN_DEEP_LENGTH) return;
  let depth = 0;
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(json, at);
        break;
      case LIST:
      case OBJECT:
        if (depth === MAX_DEPTH) from = at;
        depth += 1;
        break;
      case LIST_END:
      case OBJECT_END:
        depth -= 1;
        if (depth === MAX_DEPTH) yield [from, at + 1];
    }
  }
}

/** Whether a text of valid JSON has parts that are nested too deeply. */
export function isTooDeep(json: string): boolean {
  return deepParts(json).next().done !== true;
}

/** A text of valid JSON without its parts that are nested too deeply. */
export function withoutDeepParts(json: string): string {
  const kept: string[] = [];
  let end = 0;
  for (const [from, to] of deepParts(json)) {
    kept.push(json.slice(end, from), JSON.stringify(LEFT_OUT));
    end = to;
  }
  return end === 0 ? json : kept.join('') + json.slice(end);
}

/** The place of the quote that ends the string that begins with the one at `begin`. */
function endOfString(json: string, begin: number): number {
  for (let end = json.indexOf('"', begin + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
