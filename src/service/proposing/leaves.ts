import { isExactNumber } from '../json/exactNumbers';
import { isNothing, type Json, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { jsonPointer } from '../json/jsonPointer';
import { LAST_ELEMENT } from '../places/placeholders';
import { lastKey, ownKey } from '../places/readPlace';
import { savedName } from '../places/savedPlace';
import { childSpots, isList, keysIn, rootSpot, type Spot } from '../places/spots';
import { plainName } from '../places/usualNames';
import type { OwnTask } from '../places/whose';
import { progressFraction } from '../response/progress';
import { type ResponseField, USUAL_NAMES } from '../response/recognition';
import { statusMeaning } from '../response/statusMeaning';

/** A response's `data`, and the task that it is read for; undefined for file-task's. */
export interface KeptData {
  readonly data: Json;
  readonly ownTask: OwnTask | undefined;
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
  /**
   * Set for what is in a list of several elements, of which none is known to be ours: whether the pointer leads to the
   * last one or to the one with this number, the first one being number 1.
   */
  readonly element?: { readonly is: 'last' | 'this'; readonly number: number; readonly count: number };
}

/** A value that the user may choose as a field. */
export interface ValueChoice extends Leaf {
  /** Whether its name or its value speaks for it. */
  readonly isLikely: boolean;
}

const MAX_LEAVES = 500;
/** Max length of a name, which becomes a part of a pointer in the settings. */
const MAX_NAME_CHARACTERS = 200;

/**
 * The first values of a response, the less deeply nested ones first, those that say nothing among them: null, and empty
 * texts, lists and objects. None is another task's. What can only be named by its number in a list comes last.
 */
export function allLeaves(kept: KeptData): Leaf[] {
  return firstLeaves(kept, () => true)
    .map(({ leaf }) => leaf)
    .toSorted((one, other) => Number(isByNumber(one)) - Number(isByNumber(other)));
}

/**
 * The values of a response that may be a field, likely ones first and of these the ones that look like it. What can only
 * be named by its number in a list comes after what will be found wherever it is.
 */
export function valueChoices(field: ResponseField, kept: KeptData): ValueChoice[] {
  const choices = firstLeaves(kept, ({ text }) => text !== '').map(({ leaf, owner }) => {
    const value = looksLike(field, leaf.text);
    const choice = { ...leaf, isLikely: value === 'surely' || isLikely(field, leaf, owner) };
    const rank = [isByNumber(leaf), !choice.isLikely, value === 'hardly', value !== 'surely'];
    return { choice, rank: Number.parseInt(rank.map(Number).join(''), 2) };
  });
  return choices.toSorted((one, other) => one.rank - other.rank).map(({ choice }) => choice);
}

/** Whether a value differs only by its number from the others in a list, which another one may have in the next response. */
export function isByNumber({ element }: Leaf): boolean {
  return element?.is === 'this';
}

/** Whether a value looks like the field, whatever it is called. */
function looksLike(field: ResponseField, text: string): 'surely' | 'perhaps' | 'hardly' {
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

const hints: Readonly<Record<ResponseField, RegExp>> = {
  taskId: /id$|no$|code$|key$|ref$|uuid|number/i,
  status: /stat|phase|stage|step|^st$/i,
  progress: /progress|percent|pct|rate|done|finish|processed/i,
  message: /message|msg|reason|remark|detail|desc|error|info|why|cause/i,
};

/** `owner` is the name of what it is in: a status is as often `phase.name` as `phase`. */
function isLikely(field: ResponseField, { name, value, text }: Leaf, owner: string): boolean {
  if (USUAL_NAMES[field].includes(plainName(name)) || hints[field].test(name)) return true;
  if (field === 'status') return hints.status.test(owner);
  // Several words are a sentence, unless they are a time.
  if (field === 'message') return /\p{L}\s+\p{L}/u.test(text);
  return field === 'taskId' && (isExactNumber(value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{6,}$/i.test(text));
}

/** Something on the way to a value, and how it will be saved. */
interface Trail {
  readonly spot: Spot;
  readonly name: string;
  readonly owner: string;
  readonly names: readonly string[];
  readonly element?: NonNullable<Leaf['element']>;
}

function firstLeaves({ data, ownTask }: KeptData, isWanted: (leaf: Leaf) => boolean) {
  const leaves: { readonly leaf: Leaf; readonly owner: string }[] = [];
  const trails: Trail[] = [{ spot: rootSpot(data, ownTask), name: '', owner: '', names: [] }];
  // Grows while it is iterated, as `shift` would be slow.
  for (const trail of trails) {
    const { spot, name, owner, names, element } = trail;
    const { value, tree, whose } = spot;
    if (value === LEFT_OUT) continue;
    const isTree = typeof tree === 'object' && leafText(tree) === undefined && !isNothing(tree);
    if (isTree) trails.push(...inside(trail, ownTask));
    if (isTree || whose === 'other') continue;
    const text = leafText(value) ?? '';
    const leaf = { pointer: jsonPointer(...names), name, value, text, ...(element && { element }) };
    if (isWanted(leaf) && leaves.push({ leaf, owner }) === MAX_LEAVES) break;
  }
  return leaves;
}

function inside({ spot, name, owner, names, element }: Trail, ownTask: OwnTask | undefined): Trail[] {
  const all = keysIn(spot);
  const own = ownKey(spot, ownTask);
  const isOneOfSeveral = isList(spot.tree) && all.length > 1 && own === undefined;
  const last = isOneOfSeveral && element?.is !== 'this' ? lastKey(spot, ownTask) : undefined;
  const trailTo = (key: string, as: string, is: 'last' | 'this'): Trail[] => {
    const called = /^\d+$/.test(key) ? { name, owner } : { name: key, owner: name };
    const one = isOneOfSeveral ? { is, number: Number(key) + 1, count: all.length } : element;
    const found = childSpots(spot, ownTask, [key]);
    return found.map((child) => ({ ...called, spot: child, names: [...names, as], ...(one && { element: one }) }));
  };
  // Ours may be further on in a long list. In a last element, only what is last in turn is sure to be found again.
  const isInLast = isOneOfSeveral && element?.is === 'last';
  const keys = new Set(isInLast ? [] : [...all.slice(0, MAX_LEAVES), ...(own === undefined ? [] : [own])]);
  return [
    ...(last === undefined ? [] : trailTo(last, LAST_ELEMENT, 'last')),
    ...[...keys]
      .filter((key) => key.length <= MAX_NAME_CHARACTERS)
      .flatMap((key) => trailTo(key, own === key ? savedName(spot, key, ownTask) : key, 'this')),
  ];
}
