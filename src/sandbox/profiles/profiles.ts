import { flaky } from './flaky';
import { oddNames } from './oddNames';
import type { Profile } from './profile';
import { standard } from './standard';

const profiles = { standard, flaky, oddNames } as const satisfies Readonly<Record<string, Profile>>;

/** The id of a profile. */
export type SandboxProfileId = keyof typeof profiles;

/** All profiles, the standard one first. */
export const sandboxProfiles = Object.keys(profiles) as readonly SandboxProfileId[];

/** The profile of this id. */
export function profileOf(id: SandboxProfileId): Profile {
  return profiles[id];
}
