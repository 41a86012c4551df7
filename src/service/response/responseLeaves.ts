import { isExactNumber } from '../json/exactNumbers';
import { isNothing, type Json, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { jsonPointer } from '../json/jsonPointer';
import { LAST_ELEMENT, NEWEST_ELEMENT } from '../places/placeholders';
import { chosenKey, ownKey } from '../places/readPlace';
import { savedName } from '../places/savedPlace';
import { childSpots, isList, keysIn, rootSpot, type Spot } from '../places/spots';
import { plainName } from '../places/usualNames';
import type { OwnTask } from '../places/whose';
import { progressFraction } from './progress';
import { type ResponseField, USUAL_NAMES } from './recognition';
import { statusMeaning } from './statusMeaning';

/** A value in a response that could be the field that is looked for. */
export interface ResponseLeaf {
  /** A JSON Pointer into `data`, with `${taskId}` for our element of a list or map. */
  readonly pointer: string;
  readonly text: string;
  /** Whether its name or its value speaks for it. */
  readonly isLikely: boolean;
  /** Set for what is in an element of a list of several, of which none is known to be ours. */
  readonly element?: Element;
}

/** An element of a list, the first one being number 1, and the pointers to the same value in the last or newest one. */
interface Element {
  readonly number: number;
  readonly count: number;
  /** Undefined where it is not the last one. */
  readonly last: string | undefined;
  /** Undefined where it is not known to be the newest one. */
  readonly newest: string | undefined;
}

const MAX_LEAVES = 500;
/** Max length of a name, which becomes a part of a pointer in the settings. */
const MAX_NAME_CHARACTERS = 200;

/**
 * The first leaves of a response's `data`, likely ones first and of these the ones that look like the field, then the less
 * deeply nested ones, else in their order there. None is another task's.
 */
export function responseLeaves(data: Json, field: ResponseField, ownTask?: OwnTask): ResponseLeaf[] {
  const leaves: (ResponseLeaf & { readonly rank: number })[] = [];
  for (const trail of walk(data, ownTask)) {
    const text = leafText(trail.spot.value) ?? '';
    if (text === '') continue;
    const value = looksLike(field, text);
    const isLikelyLeaf = value === 'surely' || isLikely(field, trail, text);
    const leaf = { pointer: jsonPointer(...trail.names), text, isLikely: isLikelyLeaf, ...elementOf(trail) };
    const rank = (isLikelyLeaf ? 0 : VALUE_LOOKS.length) + VALUE_LOOKS.indexOf(value);
    if (leaves.push({ ...leaf, rank }) === MAX_LEAVES) break;
  }
  return leaves.toSorted((one, other) => one.rank - other.rank).map(({ rank: _, ...leaf }) => leaf);
}

const VALUE_LOOKS = ['surely', 'perhaps', 'hardly'] as const;

/** Whether a value looks like the field, whatever it is called. */
function looksLike(field: ResponseField, text: string): (typeof VALUE_LOOKS)[number] {
  switch (field) {
    case 'status':
      if (statusMeaning(text, {}) !== 'unknown') return 'surely';
      return /^\d[\d.,:TZ%+-]*$/i.test(text) ? 'hardly' : 'perhaps';
    case 'progress':
      return progressFraction(text) === undefined && !/^\d+$/.test(text) ? 'hardly' : 'perhaps';
    case 'taskId':
    case 'message':
      return 'perhaps';
  }
}

/** A value of our task in a response, or one that is not known to be anybody's. */
export interface Leaf {
  /** A JSON Pointer into `data`, which may have placeholders as names. */
  readonly pointer: string;
  /** The nearest name, as an element of a list has none of its own. */
  readonly name: string;
  readonly value: Json;
  /** Empty where the value says nothing. */
  readonly text: string;
  /** Whether it differs only by its number from the others in a list of several, of which none is known to be ours. */
  readonly isByNumber: boolean;
}

/**
 * The first values of a response's `data`, those that say nothing among them: null, and empty texts, lists and objects.
 * None is another task's. What can only be named by its number in a list comes last.
 */
export function allLeaves(data: Json, ownTask?: OwnTask): Leaf[] {
  const leaves: Leaf[] = [];
  for (const trail of walk(data, ownTask)) {
    const { name, spot, number, last, newest } = trail;
    const leaf = { name, value: spot.value, text: leafText(spot.value) ?? '' };
    const chosen = number === undefined ? [] : [last, newest].filter((names) => names !== undefined);
    leaves.push(...chosen.map((names) => ({ ...leaf, pointer: jsonPointer(...names), isByNumber: false })));
    leaves.push({ ...leaf, pointer: jsonPointer(...trail.names), isByNumber: number !== undefined });
    if (leaves.length >= MAX_LEAVES) break;
  }
  return [...leaves.filter(({ isByNumber }) => !isByNumber), ...leaves.filter(({ isByNumber }) => isByNumber)];
}

/** A value on the way, and what it will be called. */
interface Trail {
  readonly spot: Spot;
  /** The nearest name, as an element of a list has none of its own. */
  readonly name: string;
  /** The name of what it is in: a status is as often `phase.name` as `phase`. */
  readonly owner: string;
  /** As they are saved. */
  readonly names: readonly string[];
  /** The same, by the last or the newest elements of lists of several; undefined where it is not in them. */
  readonly last: readonly string[] | undefined;
  readonly newest: readonly string[] | undefined;
  /** In the innermost list of several. */
  readonly number: number | undefined;
  readonly count: number;
}

function* walk(data: Json, ownTask: OwnTask | undefined): Generator<Trail> {
  const root = { spot: rootSpot(data, ownTask), name: '', owner: '', names: [], last: [], newest: [] };
  const queue: Trail[] = [{ ...root, number: undefined, count: 0 }];
  // Grows while it is iterated, as `shift` would be slow.
  for (const trail of queue) {
    const { value, tree, whose } = trail.spot;
    if (value === LEFT_OUT) continue;
    const isTree = typeof tree === 'object' && leafText(tree) === undefined && !isNothing(tree);
    if (isTree) queue.push(...inside(trail, ownTask));
    else if (whose !== 'other') yield trail;
  }
}

function inside(trail: Trail, ownTask: OwnTask | undefined): Trail[] {
  const { spot, names, last, newest } = trail;
  const all = keysIn(spot);
  const own = ownKey(spot, ownTask);
  const isOneOfSeveral = isList(spot.tree) && all.length > 1 && own === undefined;
  const lastKey = isOneOfSeveral ? chosenKey(spot, LAST_ELEMENT, ownTask) : undefined;
  const newestKey = isOneOfSeveral ? chosenKey(spot, NEWEST_ELEMENT, ownTask) : undefined;
  // What counts most in a long list must not be beyond the leaves that are shown.
  const first = [own, lastKey, newestKey].filter((key) => key !== undefined);
  const keys = all.length > MAX_LEAVES ? [...new Set([...first, ...all.slice(0, MAX_LEAVES)])] : all;
  const shown = keys.filter((key) => key.length <= MAX_NAME_CHARACTERS);
  return childSpots(spot, ownTask, shown).map((child): Trail => {
    const key = child.names.at(-1) ?? '';
    const called = /^\d+$/.test(key) ? { name: trail.name, owner: trail.owner } : { name: key, owner: trail.name };
    if (!isOneOfSeveral) {
      const name = own === key ? savedName(spot, key, ownTask) : key;
      const and = (before: readonly string[] | undefined) => before && [...before, name];
      return { ...trail, ...called, spot: child, names: [...names, name], last: and(last), newest: and(newest) };
    }
    return {
      ...{ ...called, spot: child, names: [...names, key], number: Number(key) + 1, count: all.length },
      last: key === lastKey ? last && [...last, LAST_ELEMENT] : undefined,
      newest: key === newestKey ? newest && [...newest, NEWEST_ELEMENT] : undefined,
    };
  });
}

function elementOf({ number, count, last, newest }: Trail): { element?: Element } {
  if (number === undefined) return {};
  return {
    element: { number, count, last: last && jsonPointer(...last), newest: newest && jsonPointer(...newest) },
  };
}

const hints: Readonly<Record<ResponseField, RegExp>> = {
  taskId: /id$|no$|code$|key$|ref$|uuid|number/i,
  status: /stat|phase|stage|step|^st$/i,
  progress: /progress|percent|pct|rate|done|finish|processed/i,
  message: /message|msg|reason|remark|detail|desc|error|info|why|cause/i,
};

function isLikely(field: ResponseField, { name, owner, spot }: Trail, text: string): boolean {
  if (USUAL_NAMES[field].includes(plainName(name)) || hints[field].test(name)) return true;
  if (field === 'status') return hints.status.test(owner);
  // Several words are a sentence, unless they are a time.
  if (field === 'message') return /\p{L}\s+\p{L}/u.test(text);
  return field === 'taskId' && (isExactNumber(spot.value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{6,}$/i.test(text));
}
