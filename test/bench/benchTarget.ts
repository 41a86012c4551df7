import type { Target } from '../../src/service/request/requests';
import { target } from '../unit/service/wire';

/** A dataset with a typical access key. Other tests use a key that is unusually hard to mask. */
export function benchTarget(baseUrl: string): Target {
  return { ...target(new URL(baseUrl)), accessKey: '9f86d081884c7d659a2feaa0c55ad015' };
}
