import * as v from 'valibot';
import { PLACE_PLACEHOLDERS } from '../places/placeholders';
import type { KnownMeaning } from './contract';
import { meaning, pointer, record, section } from './settingSchema';

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

const plain = v.pipe(v.union([v.string(), v.number(), v.boolean()]), v.transform(String));
const condition: v.GenericSchema<unknown, Condition> = v.union(
  [
    v.picklist(['present', 'absent']),
    v.pipe(
      plain,
      v.transform((equals) => ({ equals })),
    ),
    v.strictObject({ equals: plain }),
    v.strictObject({ atLeast: v.number() }),
    v.strictObject({ atMost: v.number() }),
  ],
  'notCondition',
);

/** The place of a value in query-task's response. */
export const place = pointer(PLACE_PLACEHOLDERS, 'unknownPlacePlaceholder');

// A rule without conditions would always hold.
const when = v.pipe(
  record(place, condition),
  v.check((conditions) => Object.keys(conditions).length > 0, 'empty'),
);

export const stateRules = v.array(section({ when, is: meaning }), 'notList');
