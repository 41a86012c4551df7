import type { Profile } from './profile';
import { bareData } from './profiles/bareData';
import { flaky } from './profiles/flaky';
import { gateway } from './profiles/gateway';
import { listInData } from './profiles/listInData';
import { nestedStates } from './profiles/nestedStates';
import { numericIds } from './profiles/numericIds';
import { pairs } from './profiles/pairs';
import { requiredParts } from './profiles/requiredParts';
import { standard } from './profiles/standard';
import { unrecognisable } from './profiles/unrecognisable';

const profiles = {
  standard,
  flaky,
  numericIds,
  listInData,
  nestedStates,
  requiredParts,
  unrecognisable,
  pairs,
  gateway,
  bareData,
} as const satisfies Readonly<Record<string, Profile>>;

/** Names a way in which the sandbox can speak. */
export type SandboxProfileId = keyof typeof profiles;

/** The ways in which the sandbox can speak, to pick from; the standard one first. */
export const sandboxProfiles = Object.keys(profiles) as readonly SandboxProfileId[];

/** The profile of this id. */
export function profileOf(id: SandboxProfileId): Profile {
  return profiles[id];
}
