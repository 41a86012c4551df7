import type { KnownMeaning } from '../contract/contract';
import type { Condition, StateRule } from '../contract/stateRules';
import { isNothing } from '../json/json';
import { jsonPointer, parentPointer, pointerNames } from '../json/jsonPointer';
import { isNameOfErrors } from '../places/usualNames';
import type { Leaf } from './responseLeaves';

/** Rules that could tell the state, in their order: failures first, so that nothing that failed is told as succeeded. */
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
  bad: /^(?:is|has|was)?(?:fail|failed|failure|errors?|errored|err|exception|aborted|cancell?ed|rejected)$/,
  reason: /^(?:error|err|fail|failure)(?:msg|message|reason|code|info|detail)s?$/,
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
  const certain = [...leaves.filter(({ isByNumber }) => !isByNumber), ...listsOfReasons(leaves)];
  return distinct([...Map.groupBy(certain, ownerOf).values()].flatMap(proposedInside));
}

/** Lists that are called as failures are, by what is in them: whether there is anything in one tells what an error does. */
function listsOfReasons(leaves: readonly Leaf[]): Leaf[] {
  const lists = leaves.flatMap((leaf) => {
    const names = pointerNames(leaf.pointer);
    const isElement = (name = '') => /^\d+$|^\$\{(?:last|newest)\}$/.test(name);
    const depth = names.findIndex((name, at) => isNameOfErrors(name) && isElement(names[at + 1])) + 1;
    if (depth === 0) return [];
    return [
      { ...leaf, pointer: jsonPointer(...names.slice(0, depth)), name: names[depth - 1] ?? '', isByNumber: false },
    ];
  });
  return [...new Map(lists.map((list) => [list.pointer, list])).values()];
}

function proposedInside(leaves: readonly Leaf[]): ProposedRules[] {
  const named = (role: keyof typeof roles, ...kinds: Kind[]) =>
    leaves.find((leaf) => roles[role].test(plainName(leaf)) && kinds.includes(kindOf(leaf)));
  const done = named('done', 'flag', 'nothing');
  const good = named('good', 'flag', 'nothing');
  const bad = named('bad', 'flag', 'nothing', 'text') ?? named('reason', 'nothing', 'text');
  const doneAt = named('doneAt', 'time', 'nothing');
  const badAt = named('badAt', 'time', 'nothing');
  const [pending, total, badCount] = [named('pending', 'number'), named('total', 'number'), named('bad', 'number')];
  const percent = named('percent', 'number', 'text');
  const proposals = [
    done && good && endedBy(done, good),
    doneAt && badAt && either(doneAt, badAt),
    done && bad && endedBy(done, bad),
    doneAt && good && endedBy(doneAt, good),
    doneAt && bad && !badAt && endedBy(doneAt, bad),
    good && bad && !done && !doneAt && either(good, bad),
    // A null that will say true will say false in the same place.
    good && kindOf(good) === 'nothing' && !done && !doneAt && !bad && [failed(is(good, false)), won(is(good, true))],
    pending && total && counted(pending, total, badCount),
    percent && !done && !doneAt && full(percent, bad),
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
  if (kind === 'flag') return otherKind === 'nothing' ? [endedBy(leaf, other)] : [];
  if (otherKind === 'flag') return kind === 'nothing' ? [endedBy(other, leaf)] : [];
  if (kind === 'number') return otherKind === 'number' ? [counted(leaf, other, undefined)] : [];
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
      return [...eitherWay(is(leaf, true)), [won(is(leaf, false))]];
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
  const ended = kindOf(done) === 'flag' || roles.done.test(plainName(done)) ? is(done, true) : present(done);
  const isFlag = kindOf(how) === 'flag';
  const [ifBad, ifGood] = isBad(how)
    ? isFlag
      ? [is(how, true), is(how, false)]
      : [present(how), at(how, 'absent')]
    : [is(how, false), is(how, true)];
  return [failed({ ...ended, ...ifBad }), won({ ...ended, ...ifGood })];
}

/** Each of two values says an end by itself. */
function either(good: Leaf, bad: Leaf): ProposedRules {
  const says = (leaf: Leaf) =>
    kindOf(leaf) === 'flag' || roles.good.test(plainName(leaf)) ? is(leaf, true) : present(leaf);
  return [failed(says(bad)), won(says(good))];
}

function counted(pending: Leaf, total: Leaf, bad: Leaf | undefined): ProposedRules {
  const ended = { ...is(pending, 0), ...at(total, { atLeast: 1 }) };
  if (bad === undefined) return [won(ended)];
  return [failed({ ...ended, ...at(bad, { atLeast: 1 }) }), won({ ...ended, ...is(bad, 0) })];
}

function full(percent: Leaf, bad: Leaf | undefined): ProposedRules {
  // A fraction has digits behind its point.
  const all = at(percent, { atLeast: /^[01]?\.\d+$/.test(percent.text) ? 1 : 100 });
  if (bad === undefined) return [won(all)];
  return [failed(kindOf(bad) === 'flag' ? is(bad, true) : present(bad)), won(all)];
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
  return [roles.bad, roles.reason, roles.badAt].some((role) => role.test(plainName(leaf)));
}

function isGood(leaf: Leaf): boolean {
  return [roles.done, roles.good, roles.doneAt].some((role) => role.test(plainName(leaf)));
}

function plainName({ name }: Leaf): string {
  return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Where the object or list is that holds a value. */
function ownerOf({ pointer }: Leaf): string {
  return parentPointer(pointer);
}

/** Values whose names say how a task has ended come first. */
function byLikelihood(one: Leaf, other: Leaf): number {
  const weight = (leaf: Leaf) =>
    isBad(leaf) || roles.good.test(plainName(leaf)) || roles.total.test(plainName(leaf)) ? 0 : 1;
  return weight(one) - weight(other);
}

function distinct(proposals: readonly ProposedRules[]): ProposedRules[] {
  return [...new Map(proposals.map((proposed) => [JSON.stringify(proposed), proposed])).values()];
}
