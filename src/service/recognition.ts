import type { StatusMeaning } from './contract';
import { isJsonObject, type Json, type JsonObject, leafText } from './json';
import { jsonPointer, valueAt } from './jsonPointer';

/** The facts looked for in the `data` of an answer; INTERFACE.md 2.3 shows none of their names. */
export type Fact = 'taskId' | 'status' | 'progress' | 'message';

/** Where in `data` a fact was found (a JSON Pointer), and its value there (INTERFACE.md 2.3: fields are not shown). */
export interface Found {
  readonly pointer: string;
  readonly value: Json;
}

/** Usual names, likely ones first, written without case, `_` and `-`. */
const usualNames: Readonly<Record<Fact, readonly string[]>> = {
  taskId: ['taskid', 'importtaskid', 'filetaskid', 'jobid', 'importid', 'taskno', 'taskcode', 'id'],
  status: ['status', 'taskstatus', 'importstatus', 'state', 'taskstate', 'stage', 'phase'],
  progress: ['progress', 'percent', 'percentage', 'progresspercent', 'taskprogress'],
  message: ['message', 'msg', 'errormessage', 'errormsg', 'error', 'reason', 'detail'],
};

const usualWords: Readonly<Record<Exclude<StatusMeaning, 'unknown'>, ReadonlySet<string>>> = {
  running: new Set(
    ['pending', 'queued', 'queueing', 'waiting', 'created', 'submitted', 'received', 'scheduled', 'init'].concat(
      ['initializing', 'started', 'starting', 'running', 'processing', 'inprogress', 'importing', 'uploading'],
      ['parsing', 'indexing', 'working', 'executing', 'ongoing', 'doing'],
    ),
  ),
  succeeded: new Set(['success', 'succeed', 'succeeded', 'successful', 'done', 'complete', 'completed', 'finished']),
  failed: new Set(['failed', 'failure', 'fail', 'error', 'errored', 'cancelled', 'canceled', 'aborted', 'rejected']),
};

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/**
 * Finds a fact in an answer's `data`: at the pointer where the contract has one, else by usual names, first in `data`
 * itself, then in the objects directly inside it. A bare `id` one level down counts only inside something called a
 * task, job or import: another object's id is not the task's (INTERFACE.md 2.3: fields are not shown).
 */
export function findFact(fact: Fact, data: JsonObject, pointer: string | undefined): Found | undefined {
  if (pointer !== undefined) {
    const value = valueAt(data, pointer);
    return leafText(value) === undefined || value === undefined ? undefined : { pointer, value };
  }
  const here = findByName(usualNames[fact], data);
  if (here !== undefined) return { pointer: jsonPointer(here), value: data[here] ?? null };
  for (const [outer, inner] of Object.entries(data)) {
    if (!isJsonObject(inner)) continue;
    const ownsTheId = fact !== 'taskId' || /task|job|import/i.test(outer);
    const name = findByName(ownsTheId ? usualNames[fact] : usualNames[fact].filter((usual) => usual !== 'id'), inner);
    if (name !== undefined) return { pointer: jsonPointer(outer, name), value: inner[name] ?? null };
  }
  return undefined;
}

function findByName(names: readonly string[], object: JsonObject): string | undefined {
  const leaves = Object.keys(object).filter((name) => (leafText(object[name]) ?? '') !== '');
  for (const usual of names) {
    const found = leaves.find((name) => plain(name) === usual);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * What a status means: as the contract says, else by the usual words whatever their case, else unknown (INTERFACE.md
 * 3: states are not shown).
 */
export function statusMeaning(status: string, meanings: Readonly<Record<string, StatusMeaning>>): StatusMeaning {
  if (Object.hasOwn(meanings, status)) return meanings[status] ?? 'unknown';
  const word = plain(status);
  if (usualWords.running.has(word)) return 'running';
  if (usualWords.succeeded.has(word)) return 'succeeded';
  return usualWords.failed.has(word) ? 'failed' : 'unknown';
}

/**
 * Progress as a fraction from 0 to 1, read from `0.37`, `37` or `"37%"`; undefined for what is none of these
 * (INTERFACE.md 2.3: fields are not shown).
 */
export function progressFraction(value: Json): number | undefined {
  const text = leafText(value)?.trim() ?? '';
  const match = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text);
  if (match === null) return undefined;
  const number = Number(match[1]);
  const isFraction = match[2] === '' && text.includes('.') && number <= 1;
  const fraction = isFraction ? number : number / 100;
  return fraction <= 1 ? fraction : undefined;
}
