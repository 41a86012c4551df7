/** How deep lists and objects may be nested: enough for any response, and far from a stack overflow. */
const MAX_DEPTH = 200;

/** Replaces a part of JSON that was left out. */
export const LEFT_OUT = '…';

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
    switch (json[at]) {
      case '"':
        at = endOfString(json, at);
        break;
      case '[':
      case '{':
        if (depth === MAX_DEPTH) from = at;
        depth += 1;
        break;
      case ']':
      case '}':
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

/** The place of the quote that ends a string. */
function endOfString(json: string, begin: number): number {
  for (let at = begin + 1; at < json.length; at++) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at;
  }
  return json.length;
}
