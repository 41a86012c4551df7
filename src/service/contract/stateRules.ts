import type { KnownMeaning } from './contract';
import { place } from './placeReader';
import { isObject, listOf, oneOf, record, type SettingReader, section, whole } from './settingReader';

/** What must be so of a value: there, not there, this as text, or a number within a bound. */
export type Condition =
  | 'present'
  | 'absent'
  | { readonly equals: string }
  | { readonly atLeast: number }
  | { readonly atMost: number };

/**
 * Where all its conditions hold, a task is in this state. The names in `when` are JSON Pointers into `data`, which may
 * have placeholders as names.
 */
export interface StateRule {
  readonly when: Readonly<Record<string, Condition>>;
  readonly is: KnownMeaning;
}

const condition: SettingReader<Condition> = (given, report) => {
  if (given === 'present' || given === 'absent') return given;
  if (isPlain(given)) return { equals: String(given) };
  const [[name, value] = [], ...others] = isObject(given) ? Object.entries(given) : [];
  if (others.length === 0) {
    if (name === 'equals' && isPlain(value)) return { equals: String(value) };
    if (name === 'atLeast' && typeof value === 'number') return { atLeast: value };
    if (name === 'atMost' && typeof value === 'number') return { atMost: value };
  }
  return report({ kind: 'notCondition' });
};

const conditions = record(place, condition);
const parts = section(
  {
    when: (given, report) => {
      const read = conditions(given, report);
      // It would always hold.
      return isObject(given) && Object.keys(given).length === 0 ? report({ kind: 'empty' }) : read;
    },
    is: oneOf('running', 'succeeded', 'failed'),
  },
  ['when', 'is'],
);

/** Rules are read as a whole or not at all: without one of them, or of their conditions, they would tell other states. */
export const stateRules: SettingReader<readonly StateRule[]> = whole(
  listOf((given, report) => {
    const { when, is } = parts(given, report) ?? {};
    return when !== undefined && is !== undefined ? { when, is } : undefined;
  }),
);

/** Rules as they stand in the settings; undefined for none. */
export function stateSettings(rules: readonly StateRule[]): unknown {
  if (rules.length === 0) return undefined;
  return rules.map(({ when, is }) => ({
    when: Object.fromEntries(Object.entries(when).map(([pointer, condition]) => [pointer, shortForm(condition)])),
    is,
  }));
}

/** A value alone stands for being equal to it. */
function shortForm(condition: Condition): unknown {
  if (typeof condition === 'string' || !('equals' in condition)) return condition;
  const { equals } = condition;
  if (equals === 'present' || equals === 'absent') return condition;
  if (equals === 'true' || equals === 'false') return equals === 'true';
  return String(Number(equals)) === equals && Number.isSafeInteger(Number(equals)) ? Number(equals) : equals;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
