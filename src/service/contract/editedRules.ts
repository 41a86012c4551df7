import type { StateRule } from './stateRules';

/**
 * Rules with others added. One with the same conditions is replaced. A failure comes before all else, so that nothing
 * that failed counts as succeeded, and a rule before those that would hold wherever it does.
 */
export function withRules(rules: readonly StateRule[], added: readonly StateRule[]): StateRule[] {
  return added.reduce<StateRule[]>(withRule, [...rules]);
}

function withRule(rules: readonly StateRule[], added: StateRule): StateRule[] {
  const others = rules.filter(({ when }) => !isSameWhen(when, added.when));
  const before = others.findIndex(
    ({ when, is }) => holdsWherever(when, added.when) || (added.is === 'failed' && is !== 'failed'),
  );
  return others.toSpliced(before === -1 ? others.length : before, 0, added);
}

/** Rules with the one at a place moved up by one. */
export function withMovedUp(rules: readonly StateRule[], index: number): StateRule[] {
  const moved = rules[index];
  return moved === undefined || index === 0 ? [...rules] : rules.toSpliced(index, 1).toSpliced(index - 1, 0, moved);
}

function isSameWhen(one: StateRule['when'], other: StateRule['when']): boolean {
  return holdsWherever(one, other) && holdsWherever(other, one);
}

/** Whether all of these conditions are among the others. */
function holdsWherever(when: StateRule['when'], other: StateRule['when']): boolean {
  return Object.entries(when).every(
    ([pointer, condition]) => JSON.stringify(other[pointer]) === JSON.stringify(condition),
  );
}
