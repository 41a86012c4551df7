import { isExactNumber, isJsonObject, isNothing, type Json, leafText } from '../json/json';
import { LEFT_OUT } from '../json/jsonDepth';
import { jsonPointer } from '../json/jsonPointer';
import { type ResponseField, USUAL_NAMES } from './recognition';

/** A value in a response that could be the field that is looked for. */
export interface ResponseLeaf {
  /** A JSON Pointer into `data`. */
  readonly pointer: string;
  readonly text: string;
  /** Whether its name or its value speaks for it. */
  readonly isLikely: boolean;
}

const MAX_LEAVES = 500;
/** Max length of a name, which becomes a part of a pointer in the settings. */
const MAX_NAME_CHARACTERS = 200;

/**
 * The first leaves of a response's `data`, likely ones first, then the less deeply nested ones, else in their order
 * there.
 */
export function responseLeaves(data: Json, field: ResponseField): ResponseLeaf[] {
  const leaves: ResponseLeaf[] = [];
  for (const leaf of walk(data)) {
    if (leaf.text === '') continue;
    if (leaves.push({ pointer: leaf.pointer, text: leaf.text, isLikely: isLikely(field, leaf) }) === MAX_LEAVES) break;
  }
  return [...leaves.filter((leaf) => leaf.isLikely), ...leaves.filter((leaf) => !leaf.isLikely)];
}

/** The first values of a response's `data`, those that say nothing among them: null, and empty texts, lists and objects. */
export function allLeaves(data: Json): Leaf[] {
  const leaves: Leaf[] = [];
  for (const leaf of walk(data)) if (leaves.push(leaf) === MAX_LEAVES) break;
  return leaves;
}

/** A value in a response. */
export interface Leaf {
  readonly pointer: string;
  /** The nearest name, as an element of a list has none of its own. */
  readonly name: string;
  /** The name of what it is in: a status is as often `phase.name` as `phase`. */
  readonly owner: string;
  readonly value: Json;
  /** Empty where the value says nothing. */
  readonly text: string;
}

function* walk(data: Json): Generator<Leaf> {
  const queue = [{ pointer: '', name: '', owner: '', value: data }];
  // Grows while it is iterated, as `shift` would be slow.
  for (const { pointer, name, owner, value } of queue) {
    const text = leafText(value) ?? '';
    if (text === LEFT_OUT) continue;
    if (text !== '' || isNothing(value)) yield { pointer, name, owner, value, text };
    else if (Array.isArray(value) || isJsonObject(value)) {
      for (const [key, item] of Object.entries(value as Readonly<Record<string, Json>>).slice(0, MAX_LEAVES)) {
        if (key.length > MAX_NAME_CHARACTERS) continue;
        const names = /^\d+$/.test(key) ? { name, owner } : { name: key, owner: name };
        queue.push({ pointer: pointer + jsonPointer(key), ...names, value: item });
      }
    }
  }
}

const hints: Readonly<Record<ResponseField, RegExp>> = {
  taskId: /id$|no$|code$|key$|ref$|uuid|number/i,
  status: /stat|phase|stage|step|^st$/i,
  progress: /progress|percent|rate|done|finish|processed/i,
  message: /message|msg|reason|remark|detail|desc|error|info/i,
};

function isLikely(field: ResponseField, { name, owner, value, text }: Leaf): boolean {
  const plain = name.toLowerCase().replace(/[\s_-]/g, '');
  if (USUAL_NAMES[field].includes(plain) || hints[field].test(name)) return true;
  if (field === 'status') return hints.status.test(owner);
  return field === 'taskId' && (isExactNumber(value) || /^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{6,}$/i.test(text));
}
