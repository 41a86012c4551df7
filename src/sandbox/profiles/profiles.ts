import { flaky } from './flaky';
import { oddNames } from './oddNames';
import type { Profile } from './profile';
import { standard } from './standard';

/** All profiles by their ids, the standard one first. */
export const profiles = { standard, flaky, oddNames } as const satisfies Readonly<Record<string, Profile>>;

/** The id of a profile. */
export type SandboxProfileId = keyof typeof profiles;

/** The ids of all profiles, the standard one first. */
export const sandboxProfiles = Object.keys(profiles) as readonly SandboxProfileId[];
