/** A part of a text that is a URL or an absolute path, and its name in a pointer: `${segment:2}` or `${query:x}`. */
export interface TextPart {
  readonly name: string;
  readonly text: string;
}

/** Max length of a text of which parts are offered, and max parts of it. */
const MAX_CHARACTERS = 2000;
const MAX_PARTS = 40;

interface Url {
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
}

/** The segments of a URL or an absolute path, numbered from the front, and the values of its query. */
export function textParts(text: string): TextPart[] {
  const url = readUrl(text);
  if (url === undefined) return [];
  const segments = url.segments.map((segment, index) => ({ name: `\${segment:${index + 1}}`, text: segment }));
  const query = [...new Set(url.query.keys())].flatMap((key): TextPart[] => {
    const value = url.query.get(key) ?? '';
    return key === '' || value === '' ? [] : [{ name: `\${query:${key}}`, text: value }];
  });
  return [...segments, ...query].slice(0, MAX_PARTS);
}

/** The part of a URL or an absolute path that has this name; undefined where there is none. */
export function textPart(text: string, name: string): string | undefined {
  const [, what, which = ''] = /^\$\{(segment|query):(.+)\}$/s.exec(name) ?? [];
  const url = what === undefined ? undefined : readUrl(text);
  if (url === undefined) return undefined;
  if (what === 'query') return url.query.get(which) ?? undefined;
  const number = /^-?[1-9]\d*$/.test(which) ? Number(which) : Number.NaN;
  return url.segments.at(number > 0 ? number - 1 : number || url.segments.length);
}

/**
 * The name of a part by which it is found in other texts too. A segment is counted from the front; but where that leads
 * to another place in some of them, and counting from the end does not, from the end.
 */
export function steadyName({ name, text }: TextPart, whole: string, others: readonly string[]): string {
  const number = Number(/^\$\{segment:(\d+)\}$/.exec(name)?.[1]);
  const url = readUrl(whole);
  if (!(number > 0) || url === undefined) return name;
  const fromEnd = number - 1 - url.segments.length;
  const neighbor = url.segments[number - 2];
  // The segment before names the place: `/jobs/88b` and `/v2/jobs/91c`.
  const isSteady = (at: number) =>
    others.every((other) => {
      const segments = readUrl(other)?.segments ?? [];
      const index = at < 0 ? segments.length + at : at;
      return index < segments.length && (index > 0 ? segments[index - 1] : undefined) === neighbor;
    });
  return text !== '' && !isSteady(number - 1) && isSteady(fromEnd) ? `\${segment:${fromEnd}}` : name;
}

function readUrl(text: string): Url | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const match = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#\s]*)?(\/[^?#\s]*)(?:\?([^#\s]*))?(?:#\S*)?$/i.exec(text);
  if (match === null || text.startsWith('//')) return undefined;
  const [, path = '', query = ''] = match;
  const segments = path.split('/').filter((segment) => segment !== '');
  return { segments: segments.map(decoded), query: new URLSearchParams(query) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
