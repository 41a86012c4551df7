import { stringifyJson } from '../service/json';
import type { Outcome } from '../service/outcome';

/** The service's answer as JSON text, as it is kept with a task; undefined where there was none in an envelope. */
export function keptAnswer(outcome: Outcome<unknown>): string | undefined {
  if (outcome.kind === 'accepted') return stringifyJson(outcome.answer.envelope);
  if (outcome.kind === 'rejected' && outcome.refusal.by === 'envelope') {
    return stringifyJson(outcome.refusal.answer.envelope);
  }
  return undefined;
}
