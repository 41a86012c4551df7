import type { KnownMeaning } from '../contract/contract';
import type { Condition, StateRule } from '../contract/stateRules';
import { isNothing } from '../json/json';
import { jsonPointer, parentPointer, pointerNames } from '../json/jsonPointer';
import { FAILURE_NAMES, isNameOfError, plainName, REASON_NAMES } from '../places/usualNames';
import { isByNumber, type Leaf } from './leaves';

/** Rules that could give the state, in their order: failures first, so that nothing that failed is shown as succeeded. */
export type ProposedRules = readonly StateRule[];

/** What a value can be read as. */
export type Kind = 'flag' | 'nothing' | 'time' | 'number' | 'text';

const TIME = /^\d{4}-\d\d-\d\d|^1\d{9}(?:\d{3})?$/;
const COUNTED = '(?:count|num|files|rows|items|tasks|records)?';
const WHEN = '(?:at|on|time|date|ts|timestamp)';

/** What the names of values say, written without case, `_` and `-`. */
const roles = {
  done: /^(?:is|has|was)?(?:finish|finished|done|complete|completed|end|ended|over|closed|terminated|ready)$/,
  good: /^(?:is|was)?(?:success|successful|succeeded|ok|okay|passed)$/,
  bad: FAILURE_NAMES,
  reason: REASON_NAMES,
  doneAt: new RegExp(
    `^(?:finish|finished|end|ended|complete|completed|completion|done|success|succeeded|closed)${WHEN}$`,
  ),
  badAt: new RegExp(`^(?:fail|failed|failure|error|errored|abort|aborted|cancell?ed|rejected)${WHEN}$`),
  pending: new RegExp(`^(?:pending|remaining|left|waiting|queued|todo|unprocessed|outstanding|rest)${COUNTED}$`),
  total: new RegExp(`^(?:total|all|count)${COUNTED}$`),
  percent: /^(?:progress|percent|percentage|progresspercent|taskprogress|rate)$/,
} as const;

/** Max proposals made of one value and another beside it. */
const MAX_PAIRS = 4;

/**
 * The likely rules for a response with these values, by what these are called; likelier ones first. Which element of a
 * list would be ours is not guessed by its number.
 */
export function proposedStates(leaves: readonly Leaf[]): ProposedRules[] {
  const certain = [...leaves.filter((leaf) => !isByNumber(leaf)), ...wholeErrors(leaves)];
  return distinct([...Map.groupBy(certain, ownerOf).values()].flatMap(proposedInside));
}

/** Lists and objects that are called as errors are, by what is in them: whether anything is there is all that counts. */
function wholeErrors(leaves: readonly Leaf[]): Leaf[] {
  const errors = leaves.flatMap(({ pointer }): Leaf[] => {
    const names = pointerNames(pointer);
    const depth = names.slice(0, -1).findIndex(isNameOfError) + 1;
    if (depth === 0) return [];
    const isOfList = /^\d+$|^\$\{last\}$/.test(names[depth] ?? '');
    const value = isOfList ? [] : {};
    return [{ pointer: jsonPointer(...names.slice(0, depth)), name: names[depth - 1] ?? '', value, text: '' }];
  });
  return [...new Map(errors.map((error) => [error.pointer, error])).values()];
}

/** An error beside a value, as services begin to report one only once there is one. */
function errorBeside(leaf: Leaf): Leaf {
  return { pointer: `${ownerOf(leaf)}/error`, name: 'error', value: null, text: '' };
}

function proposedInside(leaves: readonly Leaf[]): ProposedRules[] {
  const named = (role: keyof typeof roles, ...kinds: Kind[]) =>
    leaves.find((leaf) => roles[role].test(plainName(leaf.name)) && kinds.includes(kindOf(leaf)));
  const done = named('done', 'flag', 'nothing');
  const good = named('good', 'flag', 'nothing');
  const bad = named('bad', 'flag', 'nothing', 'text') ?? named('reason', 'nothing', 'text', 'number');
  const doneAt = named('doneAt', 'time', 'nothing');
  const badAt = named('badAt', 'time', 'nothing');
  const [pending, total, badCount] = [named('pending', 'number'), named('total', 'number'), named('bad', 'number')];
  const percent = named('percent', 'number', 'text');
  const proposals = [
    done && good && endedBy(done, good),
    doneAt && badAt && either(doneAt, badAt),
    done && bad && endedBy(done, bad),
    doneAt && good && endedBy(doneAt, good),
    doneAt && bad && !badAt && endedAt(doneAt, bad),
    good && bad && !done && !doneAt && either(good, bad),
    // A null that will say true will say false in the same place.
    good && kindOf(good) === 'nothing' && !done && !doneAt && !bad && [failed(is(good, false)), won(is(good, true))],
    pending && total && counted(pending, total, { bad, badCount }),
    percent && !done && !doneAt && full(percent, bad),
    done && kindOf(done) === 'flag' && !good && !bad && endedBy(done, errorBeside(done)),
  ];
  return proposals.filter((proposed) => proposed !== undefined && proposed !== false);
}

/** The likely rules that look at this value, alone or with another beside it. */
export function proposedStatesWith(leaf: Leaf, leaves: readonly Leaf[]): ProposedRules[] {
  const beside = leaves.filter((other) => other !== leaf && ownerOf(other) === ownerOf(leaf)).toSorted(byLikelihood);
  const looksAtIt = (proposed: ProposedRules) => proposed.some(({ when }) => Object.hasOwn(when, leaf.pointer));
  return distinct([
    ...proposedInside([leaf, ...beside]).filter(looksAtIt),
    ...beside.flatMap((other) => pairs(leaf, other)).slice(0, MAX_PAIRS),
    ...alone(leaf),
  ]);
}

function pairs(leaf: Leaf, other: Leaf): ProposedRules[] {
  const [kind, otherKind] = [kindOf(leaf), kindOf(other)];
  if (kind === 'flag' && otherKind === 'flag') return [endedBy(leaf, other), endedBy(other, leaf)];
  if (kind === 'flag') return otherKind === 'nothing' ? [endedBy(leaf, other), endedByReason(leaf, other)] : [];
  if (otherKind === 'flag') return kind === 'nothing' ? [endedBy(other, leaf), endedByReason(other, leaf)] : [];
  if (kind === 'number') return otherKind === 'number' ? [counted(leaf, other, {})] : [];
  if (![kind, otherKind].every((each) => each === 'time' || each === 'nothing')) return [];
  const ways = [
    [leaf, other],
    [other, leaf],
  ] as const;
  return ways.filter(([good, bad]) => !isBad(good) && !isGood(bad)).map(([good, bad]) => either(good, bad));
}

function alone(leaf: Leaf): ProposedRules[] {
  const eitherWay = (when: When) => (isBad(leaf) ? [[failed(when)], [won(when)]] : [[won(when)], [failed(when)]]);
  switch (kindOf(leaf)) {
    case 'flag':
      return [
        ...(isBad(leaf) ? [] : [endedBy(leaf, errorBeside(leaf))]),
        ...eitherWay(is(leaf, true)),
        [won(is(leaf, false))],
      ];
    case 'nothing':
      return [...eitherWay(present(leaf)), [failed(is(leaf, false)), won(is(leaf, true))]];
    case 'time':
      return eitherWay(present(leaf));
    case 'number':
      return [full(leaf, undefined), [won(is(leaf, 0))], [failed(at(leaf, { atLeast: 1 }))]];
    case 'text':
      return [[rule('running', is(leaf, leaf.text))], ...eitherWay(is(leaf, leaf.text))];
  }
}

/** It has ended once the first value is true or there; whether it succeeded, the second one says. */
function endedBy(done: Leaf, how: Leaf): ProposedRules {
  if (isBad(how)) return endedByReason(done, how);
  return [failed({ ...ended(done), ...is(how, false) }), won({ ...ended(done), ...is(how, true) })];
}

function endedByReason(done: Leaf, reason: Leaf): ProposedRules {
  return [failed({ ...ended(done), ...isSaid(reason) }), won({ ...ended(done), ...isNotSaid(reason) })];
}

function ended(done: Leaf): When {
  return kindOf(done) === 'flag' || roles.done.test(plainName(done.name)) ? is(done, true) : present(done);
}

/** A task that failed may have no time of its end. What comes in a list may have come on the way to success. */
function endedAt(doneAt: Leaf, bad: Leaf): ProposedRules {
  const isList = Array.isArray(bad.value) || /s$/i.test(bad.name);
  return isList ? endedBy(doneAt, bad) : [failed(isSaid(bad)), won({ ...present(doneAt), ...isNotSaid(bad) })];
}

/** That a value says a failure by itself, and that it does not. */
function isSaid(bad: Leaf): When {
  return kindOf(bad) === 'flag' ? is(bad, true) : present(bad);
}

function isNotSaid(bad: Leaf): When {
  return kindOf(bad) === 'flag' ? is(bad, false) : at(bad, 'absent');
}

/** Each of two values says an end by itself. */
function either(good: Leaf, bad: Leaf): ProposedRules {
  const says = (leaf: Leaf) =>
    kindOf(leaf) === 'flag' || roles.good.test(plainName(leaf.name)) ? is(leaf, true) : present(leaf);
  return [failed(says(bad)), won(says(good))];
}

function counted(
  pending: Leaf,
  total: Leaf,
  { bad, badCount }: { readonly bad?: Leaf | undefined; readonly badCount?: Leaf | undefined },
): ProposedRules {
  const all = { ...is(pending, 0), ...at(total, { atLeast: 1 }) };
  return [
    ...(bad === undefined ? [] : [failed(isSaid(bad))]),
    ...(badCount === undefined ? [] : [failed({ ...all, ...at(badCount, { atLeast: 1 }) })]),
    won({ ...all, ...(badCount && is(badCount, 0)), ...(bad && isNotSaid(bad)) }),
  ];
}

/** Many services set their progress to -1 where a task failed. */
function full(percent: Leaf, bad: Leaf | undefined): ProposedRules {
  // A fraction has digits behind its point.
  const all = at(percent, { atLeast: /^[01]?\.\d+$/.test(percent.text) ? 1 : 100 });
  return [...(bad === undefined ? [] : [failed(isSaid(bad))]), failed(at(percent, { atMost: -1 })), won(all)];
}

type When = StateRule['when'];

const at = ({ pointer }: Leaf, condition: Condition): When => ({ [pointer]: condition });
const present = (leaf: Leaf) => at(leaf, 'present');
const is = (leaf: Leaf, value: string | number | boolean) => at(leaf, { equals: String(value) });
const rule = (meaning: KnownMeaning, when: When): StateRule => ({ when, is: meaning });
const won = (when: When) => rule('succeeded', when);
const failed = (when: When) => rule('failed', when);

/** What a value can be read as: null may become any of them. */
export function kindOf({ value, text }: Leaf): Kind {
  if (isNothing(value)) return 'nothing';
  if (typeof value === 'boolean') return 'flag';
  if (TIME.test(text)) return 'time';
  return /^-?\d+(?:\.\d+)?\s*%?$/.test(text) ? 'number' : 'text';
}

function isBad(leaf: Leaf): boolean {
  return isNameOfError(leaf.name) || roles.badAt.test(plainName(leaf.name));
}

function isGood(leaf: Leaf): boolean {
  return [roles.done, roles.good, roles.doneAt].some((role) => role.test(plainName(leaf.name)));
}

/** Where the object or list is that holds a value. */
function ownerOf({ pointer }: Leaf): string {
  return parentPointer(pointer);
}

/** Values whose names say how a task has ended come first. */
function byLikelihood(one: Leaf, other: Leaf): number {
  const weight = (leaf: Leaf) =>
    isBad(leaf) || roles.good.test(plainName(leaf.name)) || roles.total.test(plainName(leaf.name)) ? 0 : 1;
  return weight(one) - weight(other);
}

function distinct(proposals: readonly ProposedRules[]): ProposedRules[] {
  return [...new Map(proposals.map((proposed) => [JSON.stringify(proposed), proposed])).values()];
}
