import { bareData } from './bareData';
import { flaky } from './flaky';
import { gateway } from './gateway';
import { listInData } from './listInData';
import { nestedStates } from './nestedStates';
import { numericIds } from './numericIds';
import { pairs } from './pairs';
import type { Profile } from './profile';
import { requiredParts } from './requiredParts';
import { standard } from './standard';
import { unrecognizable } from './unrecognizable';

const profiles = {
  standard,
  flaky,
  numericIds,
  listInData,
  nestedStates,
  requiredParts,
  unrecognizable,
  pairs,
  gateway,
  bareData,
} as const satisfies Readonly<Record<string, Profile>>;

/** The id of a profile. */
export type SandboxProfileId = keyof typeof profiles;

/** All profiles, the standard one first. */
export const sandboxProfiles = Object.keys(profiles) as readonly SandboxProfileId[];

/** The profile of this id. */
export function profileOf(id: SandboxProfileId): Profile {
  return profiles[id];
}
